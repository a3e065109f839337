-- Makes new contacts and events cheaper. Nearly all are added one at a time, and one row needs no grouping and no sorting.
create or replace function count_contacts() returns trigger language plpgsql as $$
declare
  sign constant integer := case when tg_op = 'INSERT' then 1 else -1 end;
  rows_changed bigint;
  has_tags boolean;
begin
  select count(*), bool_or(tags <> '{}') into rows_changed, has_tags from changed;
  if rows_changed = 1 then
    insert into contact_counts as c (organization_id, livemode, stage, ai_handling, opted_out, shard, n)
    select organization_id, livemode, stage, ai_handling, opted_out_at is not null, counter_shard(), sign from changed
    on conflict (organization_id, livemode, stage, ai_handling, opted_out, shard) do update set n = c.n + excluded.n;
  else
    insert into contact_counts as c (organization_id, livemode, stage, ai_handling, opted_out, shard, n)
    select organization_id, livemode, stage, ai_handling, opted_out_at is not null, counter_shard(), sign * count(*)
    from changed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (organization_id, livemode, stage, ai_handling, opted_out, shard) do update set n = c.n + excluded.n;
  end if;
  if tg_op = 'INSERT' and has_tags then
    insert into contact_tags (organization_id, livemode, tag, contact_id)
    select distinct organization_id, livemode, tag, id from changed, unnest(tags) tag;
  end if;
  return null;
end $$;

create or replace function count_events() returns trigger language plpgsql as $$
declare
  sign constant integer := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  if (select count(*) from changed) = 1 then
    insert into event_counts as c (organization_id, livemode, type, shard, n)
    select organization_id, livemode, type, counter_shard(), sign from changed
    on conflict (organization_id, livemode, type, shard) do update set n = c.n + excluded.n;
  else
    insert into event_counts as c (organization_id, livemode, type, shard, n)
    select organization_id, livemode, type, counter_shard(), sign * count(*) from changed
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, livemode, type, shard) do update set n = c.n + excluded.n;
  end if;
  return null;
end $$;

-- Contacts that are not from a chat have a phone number and nothing else.
create or replace function record_identities() returns trigger language plpgsql as $$
begin
  if exists (select from changed where num_nonnulls(whatsapp_user_id, username) > 0) then
    insert into contact_identities (organization_id, livemode, contact_id, kind, value, is_primary, since)
    select organization_id, livemode, id, kind, value, true, least(identified_at, created_at)
    from changed cross join lateral (values ('phone', nullif(phone_number, '')), ('whatsapp_user_id', whatsapp_user_id),
      ('username', username)) own (kind, value)
    where value is not null order by organization_id, livemode, kind, value;
  else
    insert into contact_identities (organization_id, livemode, contact_id, kind, value, is_primary, since)
    select organization_id, livemode, id, 'phone', phone_number, true, least(identified_at, created_at)
    from changed where phone_number <> '' order by organization_id, livemode, phone_number;
  end if;
  return null;
end $$;

-- The same results: the index of e-mail addresses stays valid. Most contacts have none, and it is asked twice for each.
create or replace function email_of(custom_fields jsonb) returns text
  language plpgsql immutable parallel safe as $$
begin
  if strpos(custom_fields::text, '@') = 0 then return null; end if;
  return (select lower(trim(value)) from jsonb_each_text(custom_fields)
    where lower(key) in ('email', 'e-mail', 'e_mail', 'mail', 'email address', 'email_address') and value like '%_@_%'
    order by key limit 1);
end $$;

-- For the time of an event, which is a generated column: an SQL function would be planned for each statement.
create or replace function id_time(id uuid) returns timestamptz
  language plpgsql immutable strict parallel safe as $$
begin
  return to_timestamp(('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint / 1000.0);
end $$;

-- Not while a table's rows are all of transactions that still run: it would count as empty, and every lookup in it would
-- read all of it, until the next analysis.
create or replace function analyze_grown_tables() returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  watched regclass[] := array['public.deliveries', 'public.messages', 'public.activities', 'public.contacts',
    'public.contact_identities', 'public.webhook_deliveries', 'public.events'];
  grown regclass;
begin
  if not pg_try_advisory_xact_lock(7236114022) then return; end if;
  for grown in
    select oid::regclass from pg_class
    where relkind = 'r' and (oid = any (watched) or oid in (select inhrelid from pg_inherits where inhparent = any (watched)))
      and pg_stat_get_live_tuples(oid) > 0
      and (pg_relation_size(oid) / current_setting('block_size')::integer > 4 * relpages + 64 or reltuples = 0)
  loop
    execute format('analyze %s', grown);
  end loop;
end $$;
