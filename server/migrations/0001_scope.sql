-- Every tenant row belongs to one organization and one mode (test or live). Two settings, local to a transaction,
-- say whose rows a connection may see; without them nothing is visible and inserts fail.
-- The roles frontdesk_tenant and frontdesk_system own nothing; migrate.ts makes them, because roles are
-- cluster-wide and several databases may share a cluster.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

grant usage on schema public to frontdesk_tenant, frontdesk_system;

create function current_organization() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('frontdesk.organization', true), '')::uuid;

create function current_livemode() returns boolean
  language sql stable parallel safe
  return nullif(current_setting('frontdesk.livemode', true), '')::boolean;

-- Called once for each tenant table, after its columns are there. A table with `livemode` is closed by mode too.
create procedure protect_tenant_table(name regclass) language plpgsql as $$
declare
  has_mode boolean := exists (
    select from pg_attribute where attrelid = name and attname = 'livemode' and not attisdropped);
  own_rows text := 'organization_id = current_organization()'
    || case when has_mode then ' and livemode = current_livemode()' else '' end;
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy own_rows on %s to frontdesk_tenant using (%s) with check (%s)', name, own_rows, own_rows);
  execute format('create policy every_row on %s to frontdesk_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to frontdesk_tenant, frontdesk_system', name);
end $$;

-- Counters are kept in shards, so that two connections that write at once rarely wait for each other's commit.
create function counter_shard() returns smallint
  language sql stable parallel restricted
  return (pg_backend_pid() % 16)::smallint;

-- A timestamp as the API shows it, for events that are written where their rows are.
create function iso(instant timestamptz) returns text
  language sql immutable parallel safe
  return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
