-- Processes that hold calls: each says now and then that it lives. What a dead one held is ended by whoever notices.
create table call_nodes (
  id          uuid primary key,
  alive_until timestamptz not null
);
grant select, insert, update, delete on call_nodes to frontdesk_system;

create table calls (
  organization_id    uuid not null default current_organization() references organizations on delete cascade,
  livemode           boolean not null default current_livemode(),
  id                 uuid not null,
  medium             text not null check (medium in ('phone', 'web')),
  direction          text not null check (direction in ('inbound', 'outbound')),
  status             text not null default 'in-progress'
    check (status in ('in-progress', 'completed', 'busy', 'failed', 'no-answer')),
  -- The carrier's own word, and two of ours: `queued` before it is dialed, `dialing` from the moment before the carrier
  -- is asked. A call that is `dialing` is never dialed again, whatever became of whoever asked.
  telephony_status   text not null default 'queued',
  -- The carrier's id; empty until it is known.
  call_id            text not null default '',
  agent_id           uuid,
  agent_version      integer,
  channel_id         uuid,
  phone_number_id    text,
  contact_id         uuid,
  from_number        text not null default '',
  to_number          text not null default '',
  variables          jsonb not null default '{}',
  metadata           jsonb not null default '{}',
  -- When a queued call may be dialed, and how often the carrier could not be asked.
  due_at             timestamptz(3) not null default now(),
  attempts           integer not null default 0,
  -- Which simulated carrier has a test call.
  carrier_url        text,
  -- Callbacks overtake each other: what has a lower number than this is old news.
  callback_sequence  integer not null default -1,
  -- Lets one socket join, once.
  ticket_hash        bytea,
  ticket_expires_at  timestamptz(3),
  -- The process that holds its socket.
  holder_id          uuid,
  answered_at        timestamptz(3),
  carrier_seconds    integer,
  -- Whatever happens, a running call ends then; each step on its way moves it.
  deadline_at        timestamptz(3) not null,
  ended_at           timestamptz(3),
  ended_reason       text,
  answered_by        text,
  duration_seconds   integer not null default 0,
  transcript         jsonb not null default '[]',
  summary            text not null default '',
  cost               numeric(12, 6) not null default 0,
  cost_breakdown     jsonb,
  latency            jsonb,
  analysis           jsonb,
  usage              jsonb,
  -- What went wrong: {code, message}.
  error              jsonb,
  file_key           text,
  recording_size     bigint,
  recording_sha256   text,
  search_text        text not null generated always as (from_number || ' ' || to_number || ' ' || lower(call_id)) stored,
  -- Its id's own time: so a range of times is a range of ids.
  started_at         timestamptz(3) not null generated always as (id_time(id)) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  check ((status = 'in-progress') = (ended_at is null)),
  -- Carries the searched text and the filters, so that a search for something common reads the index alone.
  primary key (organization_id, livemode, id) include (search_text, status, direction),
  foreign key (organization_id, livemode, channel_id) references channels,
  foreign key (organization_id, livemode, contact_id) references contacts on delete set null (contact_id)
) with (fillfactor = 80);
create index calls_by_status on calls (organization_id, livemode, status, id desc);
create index calls_by_direction on calls (organization_id, livemode, direction, id desc);
create index calls_by_direction_and_status on calls (organization_id, livemode, direction, status, id desc);
create index calls_of_agent on calls (organization_id, livemode, agent_id, id desc);
create index calls_of_agent_by_status on calls (organization_id, livemode, agent_id, status, id desc);
create index calls_of_contact on calls (organization_id, livemode, contact_id, id desc) where contact_id is not null;
create index calls_by_text on calls using gin (organization_id, search_text gin_trgm_ops);
create unique index calls_carrier_id_is_unique on calls (organization_id, livemode, call_id) where call_id <> '';
create unique index calls_ticket_is_unique on calls (ticket_hash) where ticket_hash is not null;
-- For the worker's books: few rows, whatever the table holds.
create index calls_queued on calls (organization_id, livemode, id) where telephony_status = 'queued' and status = 'in-progress' and medium = 'phone';
create index calls_running on calls (organization_id, livemode, id) where status = 'in-progress';
create index calls_by_deadline on calls (deadline_at) where status = 'in-progress';
create index calls_with_recording on calls (ended_at) where file_key is not null;
call protect_tenant_table('calls');
create trigger calls_take_their_files after delete on calls for each row execute function remove_file();

-- What was said so far in a call that runs, a row a segment; when it ends they become its transcript.
create table call_segments (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  call_id         uuid not null,
  number          integer not null,
  segment         jsonb not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, call_id, number),
  foreign key (organization_id, livemode, call_id) references calls on delete cascade
);
call protect_tenant_table('call_segments');

create table call_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  status          text not null,
  direction       text not null,
  agent_id        uuid not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, status, direction, agent_id, shard)
) with (fillfactor = 50);
call protect_tenant_table('call_counts');

create function count_calls() returns trigger language plpgsql as $$
begin
  insert into call_counts as c (organization_id, livemode, status, direction, agent_id, shard, n)
  select organization_id, livemode, status, direction, coalesce(agent_id, '00000000-0000-0000-0000-000000000000'),
    counter_shard(), case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (organization_id, livemode, status, direction, agent_id, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on calls referencing new table as changed
  for each statement execute function count_calls();
create trigger count_removed after delete on calls referencing old table as changed
  for each statement execute function count_calls();

create function recount_call() returns trigger language plpgsql as $$
begin
  insert into call_counts as c (organization_id, livemode, status, direction, agent_id, shard, n)
  select organization_id, livemode, status, direction, coalesce(agent_id, '00000000-0000-0000-0000-000000000000'),
    counter_shard(), n
  from (values
    (old.organization_id, old.livemode, old.status, old.direction, old.agent_id, -1),
    (new.organization_id, new.livemode, new.status, new.direction, new.agent_id, 1)
  ) moved (organization_id, livemode, status, direction, agent_id, n)
  order by 1, 2, 3, 4, 5
  on conflict (organization_id, livemode, status, direction, agent_id, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger recount after update on calls for each row
  when (old.status <> new.status or old.agent_id is distinct from new.agent_id)
  execute function recount_call();

-- Search: part of a number or of the carrier's id, and where nothing has that part, what comes near it. Under row-level
-- security the planner may not use a trigram index, so it runs as the system role and names the caller itself.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create function search_calls(patterns text[], nearby text, filters jsonb, page_size integer, page_offset integer)
  returns table (id uuid, total bigint)
  -- A page: with PostgreSQL's own guess, a thousand, whoever joins it to the calls would read all of them.
  rows 20
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  matching text := (select string_agg(format('c.search_text like %L', pattern), ' or ') from unnest(patterns) pattern);
  own_rows text := 'c.organization_id = $1 and c.livemode = $2';
  filter text := '';
  condition text;
  common boolean;
  matches bigint;
  has_page boolean := false;
begin
  if filters ? 'status' then filter := filter || ' and c.status = ($3 ->> ''status'')'; end if;
  if filters ? 'direction' then filter := filter || ' and c.direction = ($3 ->> ''direction'')'; end if;
  condition := own_rows || filter || ' and (' || matching || ')';
  -- A look at the newest tells rare from common. What is common, or too short to have a trigram, is quicker found by
  -- walking the primary key, which carries the text.
  execute 'select count(*) filter (where ' || matching || ') > 50 from (select c.search_text from calls c where '
    || own_rows || ' order by c.id desc limit 1000) c' into common using current_organization(), current_livemode();
  common := common or exists (select from unnest(patterns) pattern where length(pattern) < 5);
  perform set_config('enable_bitmapscan', case when common then 'off' else 'on' end, true);
  execute 'select count(*) from calls c where ' || condition into matches
    using current_organization(), current_livemode(), filters;
  if matches > 0 then
    return query execute 'with found as ' || case when common then 'not ' else '' end || 'materialized (select c.id from calls c where '
      || condition || ') select found.id, $4 from found order by found.id desc limit $5 offset $6'
      using current_organization(), current_livemode(), filters, matches, page_size, page_offset;
    has_page := found;
  elsif nearby <> '' then
    perform set_config('enable_bitmapscan', 'on', true);
    perform set_config('pg_trgm.word_similarity_threshold', '0.6', true);
    -- What comes near most calls, as a slip in the own number does, is looked for among the newest only.
    execute 'select count(*) filter (where $3 <% c.search_text) > 50 from (select c.search_text from calls c where '
      || own_rows || ' order by c.id desc limit 1000) c' into common
      using current_organization(), current_livemode(), nearby;
    return query execute 'with candidates as materialized (' || case
        when common then 'select c.id, c.search_text from calls c where ' || own_rows || filter || ' order by c.id desc limit 1000'
        else 'select c.id, c.search_text from calls c where ' || own_rows || filter || ' and $4 <% c.search_text limit 1000' end || '
      ), near as materialized (
        select c.id, word_similarity($4, c.search_text) as nearness from candidates c where $4 <% c.search_text)
      select page.id, n.total from (select count(*) as total from near) n left join (
        select near.id, near.nearness from near order by near.nearness desc, near.id desc limit $5 offset $6) page on true
      order by page.nearness desc, page.id desc'
      using current_organization(), current_livemode(), filters, nearby, page_size, page_offset;
    has_page := found;
  end if;
  perform set_config('enable_bitmapscan', 'on', true);
  if not has_page then return query select null::uuid, matches; end if;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function search_calls from public;
set role frontdesk_system;
grant execute on function search_calls to frontdesk_tenant;
reset role;

-- A carrier's request names a channel and nothing else.
create index channels_by_id on channels (id);
