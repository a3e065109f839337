-- When an id (UUID version 7) was made.
create function id_time(id uuid) returns timestamptz
  language sql immutable strict parallel safe
  return to_timestamp(('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint / 1000.0);

-- The outbox: every change writes its event in its own transaction.
create table events (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  type            text not null,
  data            jsonb not null,
  -- Its id's own time: so the order of ids is the order of times, and a range of times is a range of ids.
  created_at      timestamptz(3) not null generated always as (id_time(id)) stored,
  -- The order in which readers may trust events: an id can be older than one that is already visible, a
  -- transaction below the oldest running one cannot.
  transaction_id  xid8 not null default pg_current_xact_id(),
  primary key (organization_id, livemode, id)
);
create index events_in_commit_order on events (transaction_id, id);
create index events_of_type on events (organization_id, livemode, type, id desc);
call protect_tenant_table('events');

create table event_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  type            text not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, type, shard)
) with (fillfactor = 50);
call protect_tenant_table('event_counts');

create function count_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into event_counts as c (organization_id, livemode, type, shard, n)
    select organization_id, livemode, type, counter_shard(), count(*) from changed
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, livemode, type, shard) do update set n = c.n + excluded.n;
  else
    insert into event_counts as c (organization_id, livemode, type, shard, n)
    select organization_id, livemode, type, counter_shard(), -count(*) from changed
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, livemode, type, shard) do update set n = c.n + excluded.n;
  end if;
  return null;
end $$;
create trigger count_added after insert on events referencing new table as changed
  for each statement execute function count_events();
create trigger count_removed after delete on events referencing old table as changed
  for each statement execute function count_events();

-- How far each internal subscriber has read.
create table event_subscriptions (
  name           text primary key,
  transaction_id xid8 not null,
  event_id       uuid not null,
  updated_at     timestamptz(3) not null default now()
);
grant select, insert, update, delete on event_subscriptions to frontdesk_system;
