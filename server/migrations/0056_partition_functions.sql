-- Functions for tables that are partitioned by the time of their ids: retention drops partitions instead of rows. ADR 42.
-- They belong to the owner, because only the owner of a table can add and drop its partitions.
create function lowest_id_at(instant timestamptz) returns uuid
  language sql immutable strict parallel safe
  return rpad(lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0'), 32, '0')::uuid;

-- Oldest first, without the default partition. `first` is null for the one that has no lower bound.
create function partitions_of(parent regclass) returns table (part regclass, first uuid, beyond uuid)
  language sql stable set search_path = pg_catalog, pg_temp as $$
    select inhrelid::regclass, substring(bounds from $x$FROM \('([^']+)$x$)::uuid, substring(bounds from $x$TO \('([^']+)$x$)::uuid
    from pg_inherits join pg_class c on c.oid = inhrelid, pg_get_expr(relpartbound, c.oid) bounds
    where inhparent = parent and bounds <> 'DEFAULT' order by 3 $$;

-- Adds partitions until one more than the current one exists. Readers wait for the lock on the default partition, which is
-- nearly always empty; what it holds of a new partition's range (ids of a node whose clock is ahead) is moved.
create function add_partitions(parent regclass, days integer) returns void
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  spare regclass := format('%s_default', parent)::regclass;
  columns text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = parent and attnum > 0 and not attisdropped and attgenerated = '');
  first uuid;
  beyond uuid;
  part text;
begin
  execute format('lock table only %s in share update exclusive mode', parent);
  loop
    -- After a long pause it begins today: what was written meanwhile is in the default partition.
    first := greatest((select p.beyond from partitions_of(parent) p order by 1 desc limit 1),
      lowest_id_at(date_trunc('day', now(), 'UTC')));
    exit when id_time(first) > now() + make_interval(days => days);
    beyond := lowest_id_at(id_time(first) + make_interval(days => days));
    part := format('%s_%s', parent, to_char(id_time(first) at time zone 'UTC', 'YYYYMMDD'));
    execute format('create table %s (like %s including defaults including generated including constraints including indexes)', part, parent);
    execute format('lock table %s in access exclusive mode', spare);
    execute format('with moved as (delete from %s where id >= %L and id < %L returning %s) insert into %s (%s) select * from moved',
      spare, first, beyond, columns, part, columns);
    execute format('alter table %s attach partition %s for values from (%L) to (%L)', parent, part, first, beyond);
  end loop;
end $$;

-- The oldest partition, if all its ids are below this one. Locks it against writers: it can be counted before it is dropped.
create function lock_expired_partition(parent regclass, oldest_kept uuid) returns table (first uuid, beyond uuid)
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  part regclass;
begin
  execute format('lock table only %s in share update exclusive mode', parent);
  select p.* into part, first, beyond from partitions_of(parent) p limit 1;
  if beyond > oldest_kept or part is null then return; end if;
  execute format('lock table %s in share mode', part);
  return next;
end $$;

-- Drops that partition. Statements on the parent wait only for the moment of the drop.
create function drop_expired_partition(parent regclass, oldest_kept uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  part regclass := (select p.part from partitions_of(parent) p where p.beyond <= oldest_kept limit 1);
begin
  -- No role may remove audit entries of the last 30 days.
  if parent = 'audit_entries'::regclass and id_time(oldest_kept) > now() - interval '30 days' then
    raise 'audit entries are kept for at least 30 days';
  end if;
  if part is not null then execute format('drop table %s', part); end if;
end $$;

revoke execute on function add_partitions, lock_expired_partition, drop_expired_partition from public;
grant execute on function add_partitions, lock_expired_partition, drop_expired_partition to frontdesk_system;

-- The partitions of a table grow, not the table itself.
create or replace function analyze_grown_tables() returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  watched regclass[] := array['public.deliveries', 'public.messages', 'public.activities', 'public.contacts',
    'public.webhook_deliveries', 'public.events'];
  grown regclass;
begin
  if not pg_try_advisory_xact_lock(7236114022) then return; end if;
  for grown in
    select oid::regclass from pg_class
    where relkind = 'r' and (oid = any (watched) or oid in (select inhrelid from pg_inherits where inhparent = any (watched)))
      and (pg_relation_size(oid) / current_setting('block_size')::integer > 4 * relpages + 64
        or reltuples = 0 and pg_stat_get_mod_since_analyze(oid) > 0)
  loop
    execute format('analyze %s', grown);
  end loop;
end $$;
