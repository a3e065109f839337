-- In batches: Partitions events and audit entries by time. The existing table becomes the first partition; its rows are not moved.
do $$
declare
  whole text;
  part text;
  newest timestamptz;
  beyond uuid;
  named record;
begin
  foreach whole in array array['events', 'audit_entries'] loop
    -- After an interruption.
    continue when (select relkind = 'p' from pg_class where oid = whole::regclass);
    part := whole || '_first';

    -- Row-level security is forced: an owner that is no superuser sees no rows.
    set local role frontdesk_system;
    execute format('select id_time(id) from %s order by id desc limit 1', whole) into newest;
    reset role;
    beyond := lowest_id_at(date_trunc('day', greatest(now(), newest), 'UTC') + interval '3 days');

    -- Checked while others write, so that the partition can be attached at once.
    execute format('alter table %s drop constraint if exists %s_range, add constraint %s_range check (id < %L) not valid',
      whole, part, part, beyond);
    commit;
    execute format('alter table %s validate constraint %s_range', whole, part);
    commit;

    execute format('alter table %s rename to %s', whole, part);
    -- Their names go to the indexes of the partitioned table.
    for named in select indexrelid::regclass as index, relname from pg_index join pg_class on oid = indexrelid
      where indrelid = part::regclass loop
      execute format('alter index %s rename to %I', named.index, replace(named.relname, whole, part));
    end loop;
    execute format('create table %s (like %s including defaults including generated) partition by range (id)', whole, part);
    for named in select pg_get_constraintdef(oid) as definition, replace(conname, part, whole) as name from pg_constraint
      where conrelid = part::regclass and contype in ('p', 'f')
        or conrelid = part::regclass and contype = 'c' and conname <> part || '_range' order by contype loop
      execute format('alter table %s add constraint %I %s', whole, named.name, named.definition);
    end loop;
    for named in select replace(pg_get_indexdef(indexrelid), part, whole) as definition from pg_index
      where indrelid = part::regclass and not indisprimary loop
      execute named.definition;
    end loop;
    execute format('alter table %s attach partition %s for values from (minvalue) to (%L)', whole, part, beyond);
    execute format('alter table %s drop constraint %s_range', part, part);
    execute format('create table %s_default partition of %s default', whole, whole);

    -- Partitions are reached through the table alone: no role has a privilege on them.
    execute format('revoke all on %s from frontdesk_tenant, frontdesk_system', part);
    execute format('alter table %s no force row level security, disable row level security', part);
    for named in select polname from pg_policy where polrelid = part::regclass loop
      execute format('drop policy %I on %s', named.polname, part);
    end loop;
    if whole = 'events' then
      call protect_tenant_table('events');
      drop trigger count_added on events_first;
      drop trigger count_removed on events_first;
      create trigger count_added after insert on events referencing new table as changed
        for each statement execute function count_events();
      create trigger count_removed after delete on events referencing old table as changed
        for each statement execute function count_events();
      -- Its body names the table as it was.
      create or replace function lowest_free_event_position() returns bigint
        language sql stable
        return greatest(
          (select max(transaction_id)::text::bigint + 1 from events),
          (select max(transaction_id)::text::bigint from event_subscriptions),
          (select max(pg_snapshot_xmax(hears_since)::text::bigint) from webhooks));
    else
      -- As migration 44 protects the log.
      alter table audit_entries enable row level security;
      alter table audit_entries force row level security;
      create policy own_rows on audit_entries to frontdesk_tenant
        using (organization_id = current_organization()) with check (organization_id = current_organization());
      create policy every_row on audit_entries for select to frontdesk_system using (true);
      create policy any_entry on audit_entries for insert to frontdesk_system with check (true);
      create policy old_entries on audit_entries for delete to frontdesk_system
        using (created_at < now() - interval '30 days');
      grant select on audit_entries to frontdesk_tenant;
      grant select, insert, delete on audit_entries to frontdesk_system;
    end if;
    commit;
  end loop;
end $$;
