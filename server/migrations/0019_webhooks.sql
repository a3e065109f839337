-- Who resumes a stream reads on from where it stopped, among the events of its own organization and mode.
create index events_of_tenant_in_commit_order on events (organization_id, livemode, transaction_id, id);

create table webhooks (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  url             text not null,
  -- Types of events, `contact.*` for all of a kind, `*` for all there are.
  events          text[] not null,
  description     text,
  status          text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  disabled_at     timestamptz(3),
  -- Encrypted: the secret, and those it replaced for as long as they are signed with too. Null once it is deleted.
  sealed_secrets  bytea,
  former_secret_expires_at timestamptz(3),
  -- It hears of what could not be seen yet when it was made or enabled: of all that committed later, and of nothing else.
  hears_since     pg_snapshot not null default pg_current_snapshot(),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  -- From then on nobody sees it; it is removed when nothing of it is left in the log.
  deleted_at      timestamptz(3),
  primary key (organization_id, livemode, id)
);
create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;
call protect_tenant_table('webhooks');

create function webhook_hears(events text[], type text) returns boolean
  language sql immutable parallel safe
  return events && array['*', split_part(type, '.', 1) || '.*', type];

-- One line of work an endpoint: whoever holds it delivers to that endpoint, and nobody else does meanwhile.
create table webhook_lanes (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  webhook_id      uuid not null,
  -- When there is something to do; null for never. Whoever adds deliveries moves it, and so waits for whoever is
  -- letting go of the lane at that moment: no delivery is forgotten between the two.
  due_at          timestamptz(3),
  holder          uuid,
  -- The endpoint asked to be left alone until then.
  paused_until    timestamptz(3),
  -- The first attempt that failed since the last one that did not.
  failing_since   timestamptz(3),
  primary key (organization_id, livemode, webhook_id),
  constraint webhook_lanes_webhook_exists
    foreign key (organization_id, livemode, webhook_id) references webhooks on delete cascade
) with (fillfactor = 50);
create index webhook_lanes_due on webhook_lanes (due_at) where due_at is not null;
create index webhook_lanes_held on webhook_lanes (holder) where holder is not null;
call protect_tenant_table('webhook_lanes');

-- Which processes deliver: a lane whose holder is not alive any more is free.
create table webhook_workers (
  id          uuid primary key,
  alive_until timestamptz(3) not null
);
grant select, insert, update, delete on webhook_workers to frontdesk_system;

-- One event to one endpoint. Its id is the event's, which is also the `webhook-id` of every attempt: the key says that
-- there is one of each. What was sent is made from the event, which is kept as long. No foreign keys, which would be
-- checked for every row: whoever adds deliveries holds their webhook's lane, and the sweep removes what has lost its webhook.
create table webhook_deliveries (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  webhook_id      uuid not null,
  id              uuid not null,
  event_type      text not null,
  status          text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempts        integer not null default 0,
  -- How far down the schedule of retries it is; a retry by hand begins anew.
  step            smallint not null default 0,
  next_attempt_at timestamptz(3),
  -- The last attempt, and briefly the ones before it.
  attempted_at    timestamptz(3),
  url             text,
  response_status smallint,
  response_body   text,
  error           text,
  duration_ms     integer,
  history         jsonb not null default '[]',
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, webhook_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, next_attempt_at, id) where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (organization_id, livemode, webhook_id, id desc)
  where status = 'failed';
call protect_tenant_table('webhook_deliveries');

create table webhook_delivery_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  webhook_id      uuid not null,
  status          text not null,
  event_type      text not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, webhook_id, status, event_type, shard)
) with (fillfactor = 50);
call protect_tenant_table('webhook_delivery_counts');

create function count_webhook_deliveries() returns trigger language plpgsql as $$
begin
  insert into webhook_delivery_counts as c (organization_id, livemode, webhook_id, status, event_type, shard, n)
  select organization_id, livemode, webhook_id, status, event_type, counter_shard(),
    case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (organization_id, livemode, webhook_id, status, event_type, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on webhook_deliveries referencing new table as changed
  for each statement execute function count_webhook_deliveries();
create trigger count_removed after delete on webhook_deliveries referencing old table as changed
  for each statement execute function count_webhook_deliveries();

create function recount_webhook_deliveries() returns trigger language plpgsql as $$
begin
  insert into webhook_delivery_counts as c (organization_id, livemode, webhook_id, status, event_type, shard, n)
  select organization_id, livemode, webhook_id, status, event_type, counter_shard(), sum(n) from (
    select organization_id, livemode, webhook_id, status, event_type, -count(*) as n from former group by 1, 2, 3, 4, 5
    union all
    select organization_id, livemode, webhook_id, status, event_type, count(*) from changed group by 1, 2, 3, 4, 5
  ) moved group by 1, 2, 3, 4, 5 having sum(n) <> 0 order by 1, 2, 3, 4, 5
  on conflict (organization_id, livemode, webhook_id, status, event_type, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger recount after update on webhook_deliveries referencing old table as former new table as changed
  for each statement execute function recount_webhook_deliveries();

-- From here on: what happens before the first worker has ever looked is told too.
insert into event_subscriptions (name, transaction_id, event_id)
values ('webhooks', pg_snapshot_xmin(pg_current_snapshot()), '00000000-0000-0000-0000-000000000000');
