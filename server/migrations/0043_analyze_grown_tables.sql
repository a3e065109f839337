-- An ANALYZE that runs while the first rows of a table are not committed yet records a table with pages and without
-- rows. The planner then expects no rows, however large the table becomes. So such a table is analyzed again as soon as
-- rows were committed. Webhook deliveries and events are written in numbers as well.
create or replace function analyze_grown_tables() returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  grown regclass;
begin
  if not pg_try_advisory_xact_lock(7236114022) then return; end if;
  for grown in
    select oid::regclass from pg_class
    where oid = any (array['public.deliveries', 'public.messages', 'public.activities', 'public.contacts',
        'public.webhook_deliveries', 'public.events']::regclass[])
      and (pg_relation_size(oid) / current_setting('block_size')::integer > 4 * relpages + 64
        or reltuples = 0 and pg_stat_get_mod_since_analyze(oid) > 0)
  loop
    execute format('analyze %s', grown);
  end loop;
end $$;
