-- An id as the service makes them (UUID version 7), for rows that a statement makes by itself.
create function new_id() returns uuid
  language sql volatile parallel safe
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid;

-- A value as it can stand in a message: on one line, and nothing where it would be blank.
create function fillable(value text) returns text
  language sql immutable parallel safe
  return nullif(btrim(regexp_replace(value, '\s+', ' ', 'g')), '');

-- The same of a member of a free map; lists and maps cannot stand in a message.
create function fillable_member(map jsonb, name text) returns text
  language sql immutable parallel safe
  return case when jsonb_typeof(map -> name) in ('string', 'number', 'boolean') then fillable(map ->> name) end;

create table campaigns (
  organization_id      uuid not null default current_organization() references organizations on delete cascade,
  livemode             boolean not null default current_livemode(),
  id                   uuid not null,
  name                 text not null,
  status               text not null
    check (status in ('scheduled', 'sending', 'paused', 'completed', 'cancelled', 'failed')),
  channel_id           uuid not null,
  template_id          uuid,
  template_variables   jsonb,
  audience_type        text not null check (audience_type in ('all', 'tags', 'manual')),
  audience_tags        text[],
  audience_contact_ids uuid[],
  scheduled_at         timestamptz(3),
  started_at           timestamptz(3),
  -- The template as it was when sending started; all null before that, and where there was none.
  template_name        text,
  template_language    text,
  template_category    text,
  template_components  jsonb,
  -- When every recipient had its delivery; before that, the last contact that has one.
  frozen_at            timestamptz(3),
  frozen_through       uuid,
  completed_at         timestamptz(3),
  pause_reason         text,
  pause_detail         text,
  failure_reason       text,
  -- How the last hundred attempts ended, the latest last: 0 well, 1 badly. Empty stands for well.
  recent_outcomes      text not null default '',
  created_by_type      text not null check (created_by_type in ('user', 'ai', 'system')),
  created_by_id        uuid,
  created_at           timestamptz(3) not null default now(),
  updated_at           timestamptz(3) not null default now(),
  -- From then on nobody sees it; it is removed when nothing of it is under way any more.
  deleted_at           timestamptz(3),
  primary key (organization_id, livemode, id),
  constraint campaigns_channel_exists foreign key (organization_id, livemode, channel_id) references channels,
  constraint campaigns_template_exists
    foreign key (organization_id, livemode, template_id) references templates on delete set null (template_id)
) with (fillfactor = 80);
create index campaigns_listed on campaigns (organization_id, livemode, id desc) where deleted_at is null;
create index campaigns_by_status on campaigns (organization_id, livemode, status, id desc) where deleted_at is null;
create index campaigns_of_channel on campaigns (organization_id, livemode, channel_id)
  where status in ('scheduled', 'sending');
create index campaigns_of_template on campaigns (organization_id, livemode, template_id) where template_id is not null;
create index campaigns_to_start on campaigns (scheduled_at) where status = 'scheduled';
create index campaigns_under_way on campaigns (started_at) where status = 'sending';
create index campaigns_to_remove on campaigns (deleted_at) where deleted_at is not null;
call protect_tenant_table('campaigns');

create table campaign_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  status          text not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, status, shard)
) with (fillfactor = 50);
call protect_tenant_table('campaign_counts');

create function count_campaigns() returns trigger language plpgsql as $$
begin
  insert into campaign_counts as c (organization_id, livemode, status, shard, n)
  select organization_id, livemode, status, counter_shard(), case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed where deleted_at is null group by 1, 2, 3 order by 1, 2, 3
  on conflict (organization_id, livemode, status, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on campaigns referencing new table as changed
  for each statement execute function count_campaigns();
create trigger count_removed after delete on campaigns referencing old table as changed
  for each statement execute function count_campaigns();

create function recount_campaign() returns trigger language plpgsql as $$
begin
  insert into campaign_counts as c (organization_id, livemode, status, shard, n)
  select new.organization_id, new.livemode, status, counter_shard(), n
  from (values (old.status, -1, old.deleted_at), (new.status, 1, new.deleted_at)) change (status, n, deleted_at)
  where deleted_at is null order by status
  on conflict (organization_id, livemode, status, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger recount after update on campaigns for each row
  when (old.status <> new.status or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function recount_campaign();

-- One recipient of a campaign. Where it goes and what it says was written down when sending started.
create table deliveries (
  organization_id    uuid not null default current_organization(),
  livemode           boolean not null default current_livemode(),
  id                 uuid not null,
  campaign_id        uuid not null,
  -- Null when the contact was deleted since.
  contact_id         uuid,
  phone_number       text not null default '',
  whatsapp_user_id   text,
  -- Values by the name of the template's variable.
  variables          jsonb not null default '{}',
  status             text not null default 'pending' check (status in
    ('pending', 'sending', 'sent', 'delivered', 'read', 'failed', 'skipped', 'unknown')),
  -- Why it failed or was skipped; while it is pending, why the last attempt did not succeed.
  code               text,
  reason             text,
  detail             text,
  attempts           integer not null default 0,
  next_attempt_at    timestamptz(3),
  -- Which worker has it. From just before the platform hears of it, it counts as handed over: from then on nobody but
  -- the platform can say whether it was sent.
  claimed_by         uuid,
  handed_over        boolean not null default false,
  -- Told by the platform's answer or, where that was lost, by its first status.
  accepted_at        timestamptz(3),
  delivered_at       timestamptz(3),
  read_at            timestamptz(3),
  chat_message_id    text,
  message_id         uuid,
  -- Of attempts that failed after they were accepted, before somebody had it tried again.
  former_message_ids text[],
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  constraint deliveries_campaign_exists
    foreign key (organization_id, livemode, campaign_id) references campaigns on delete cascade,
  constraint deliveries_contact_exists
    foreign key (organization_id, livemode, contact_id) references contacts on delete set null (contact_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
-- The contact leads, so that deleting one finds its deliveries.
create unique index deliveries_one_per_contact on deliveries (organization_id, livemode, contact_id, campaign_id);
create index deliveries_by_status on deliveries (organization_id, livemode, campaign_id, status, id desc);
create index deliveries_claimed on deliveries (claimed_by, id) where status = 'sending';
call protect_tenant_table('deliveries');

-- Deliveries of each campaign by status, in one row a shard: a statement that moves a set of them from one status to
-- another takes one lock, so that no two can wait for each other.
create table delivery_counts (
  organization_id   uuid not null,
  livemode          boolean not null,
  campaign_id       uuid not null,
  shard             smallint not null,
  pending           bigint not null,
  sending           bigint not null,
  sent              bigint not null,
  delivered         bigint not null,
  read              bigint not null,
  failed            bigint not null,
  -- Those of the failed that the platform had accepted first.
  failed_afterwards bigint not null,
  skipped           bigint not null,
  unknown           bigint not null,
  primary key (organization_id, livemode, campaign_id, shard)
) with (fillfactor = 50);
call protect_tenant_table('delivery_counts');

-- Adds what moved to the counts: of each campaign how many more, or fewer, there are of each status.
create procedure add_delivery_counts(moved jsonb) language sql begin atomic
  insert into delivery_counts as c (organization_id, livemode, campaign_id, shard, pending, sending, sent, delivered,
    read, failed, failed_afterwards, skipped, unknown)
  -- More shards than elsewhere: every worker moves deliveries of the same campaign, with several connections at once.
  select organization_id, livemode, campaign_id, (pg_backend_pid() % 64)::smallint,
    coalesce(sum(n) filter (where status = 'pending'), 0), coalesce(sum(n) filter (where status = 'sending'), 0),
    coalesce(sum(n) filter (where status = 'sent'), 0), coalesce(sum(n) filter (where status = 'delivered'), 0),
    coalesce(sum(n) filter (where status = 'read'), 0), coalesce(sum(n) filter (where status = 'failed'), 0),
    coalesce(sum(n) filter (where status = 'failed' and accepted), 0),
    coalesce(sum(n) filter (where status = 'skipped'), 0), coalesce(sum(n) filter (where status = 'unknown'), 0)
  from jsonb_to_recordset(moved)
    as m (organization_id uuid, livemode boolean, campaign_id uuid, status text, accepted boolean, n bigint)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (organization_id, livemode, campaign_id, shard) do update set
    pending = c.pending + excluded.pending, sending = c.sending + excluded.sending, sent = c.sent + excluded.sent,
    delivered = c.delivered + excluded.delivered, read = c.read + excluded.read, failed = c.failed + excluded.failed,
    failed_afterwards = c.failed_afterwards + excluded.failed_afterwards, skipped = c.skipped + excluded.skipped,
    unknown = c.unknown + excluded.unknown;
end;

create function count_deliveries() returns trigger language plpgsql as $$
declare
  moved jsonb := (
    select jsonb_agg(to_jsonb(m)) from (
      select organization_id, livemode, campaign_id, status, accepted_at is not null as accepted,
        case when tg_op = 'INSERT' then count(*) else -count(*) end as n
      from changed group by 1, 2, 3, 4, 5
    ) m);
begin
  if moved is not null then call add_delivery_counts(moved); end if;
  return null;
end $$;
create trigger count_added after insert on deliveries referencing new table as changed
  for each statement execute function count_deliveries();
create trigger count_removed after delete on deliveries referencing old table as changed
  for each statement execute function count_deliveries();

create function recount_deliveries() returns trigger language plpgsql as $$
declare
  -- Null where only other columns changed.
  moved jsonb := (
    select jsonb_agg(to_jsonb(m)) from (
      select organization_id, livemode, campaign_id, status, accepted, sum(n) as n from (
        select organization_id, livemode, campaign_id, status, accepted_at is not null as accepted, 1 as n from after
        union all
        select organization_id, livemode, campaign_id, status, accepted_at is not null, -1 from before
      ) step
      group by 1, 2, 3, 4, 5 having sum(n) <> 0
    ) m);
begin
  if moved is not null then call add_delivery_counts(moved); end if;
  return null;
end $$;
create trigger recount after update on deliveries referencing old table as before new table as after
  for each statement execute function recount_deliveries();

-- What is removed along with something else is counted too, by whatever role PostgreSQL removes it.
grant create on schema public to frontdesk_system;
do $$
declare
  counter text;
begin
  foreach counter in array array['count_campaigns', 'recount_campaign', 'count_deliveries', 'recount_deliveries'] loop
    execute format('alter function %I() security definer set search_path = public, pg_temp', counter);
    execute format('revoke execute on function %I() from public', counter);
    execute format('alter function %I() owner to frontdesk_system', counter);
  end loop;
end $$;
revoke create on schema public from frontdesk_system;

-- Channels that campaigns send on: how fast, and when somebody should look for more to send.
create table sending_channels (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  channel_id      uuid not null,
  -- When all that was claimed so far will have been sent at the channel's pace: what is claimed next comes after that.
  free_at         timestamptz not null default now(),
  -- Null while nothing is to be sent.
  due_at          timestamptz,
  -- The share of its rate that was left when the platform last found it too fast; it recovers with time.
  pace            double precision not null default 1,
  slowed_at       timestamptz,
  -- Refusals in a row that concerned the whole channel, and how long it keeps quiet for the last of them.
  refusals        integer not null default 0,
  held_until      timestamptz(3),
  hold_reason     text,
  primary key (organization_id, livemode, channel_id),
  foreign key (organization_id, livemode, channel_id) references channels
) with (fillfactor = 50);
create index sending_channels_due on sending_channels (due_at) where due_at is not null;
call protect_tenant_table('sending_channels');

-- Who sends at the moment. What a worker has claimed is given to others when it has not been heard of for a while.
create table sending_workers (
  id          uuid primary key,
  alive_until timestamptz not null
);
grant select, insert, update, delete on sending_workers to frontdesk_system;

-- A campaign makes rows by the hundred thousand within seconds, and PostgreSQL looks at a table's size once a minute; until
-- it has, plans that were made for a small table are kept. Workers call this now and then; only the owner may analyze, so
-- it runs as the owner.
create function analyze_grown_tables() returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  grown regclass;
begin
  if not pg_try_advisory_xact_lock(7236114022) then return; end if;
  for grown in
    select oid::regclass from pg_class
    where oid = any (array['public.deliveries', 'public.messages', 'public.activities', 'public.contacts']::regclass[])
      and pg_relation_size(oid) / current_setting('block_size')::integer > 4 * relpages + 64
  loop
    execute format('analyze %s', grown);
  end loop;
end $$;
revoke execute on function analyze_grown_tables from public;
grant execute on function analyze_grown_tables to frontdesk_system;
