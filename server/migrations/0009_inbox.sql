-- A ticket is one conversation of a contact; a closed one stays closed when the contact writes again.
create table tickets (
  organization_id  uuid not null default current_organization() references organizations on delete cascade,
  livemode         boolean not null default current_livemode(),
  id               uuid not null,
  contact_id       uuid not null,
  -- The channel of its last message; null until there is one.
  channel_id       uuid,
  status           text not null default 'open' check (status in ('open', 'closed')),
  assignee_id      uuid,
  unread_count     integer not null default 0,
  message_count    integer not null default 0,
  last_message_at  timestamptz(3),
  -- What the contact is searched by, kept here too: a search for something common then reads one index alone.
  contact_text     text not null default '',
  -- Orders the lists: a message, an opening, a closing.
  last_activity_at timestamptz(3) not null default now(),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id) include (contact_text, status, assignee_id, unread_count),
  constraint tickets_contact_exists
    foreign key (organization_id, livemode, contact_id) references contacts on delete cascade,
  constraint tickets_channel_exists foreign key (organization_id, livemode, channel_id) references channels,
  constraint tickets_assignee_is_a_member
    foreign key (organization_id, assignee_id) references members on delete set null (assignee_id)
) with (fillfactor = 80);
create index tickets_by_activity on tickets (organization_id, livemode, last_activity_at desc, id desc);
create index tickets_by_status on tickets (organization_id, livemode, status, last_activity_at desc, id desc);
create index tickets_of_contact on tickets (organization_id, livemode, contact_id, last_activity_at desc, id desc);
-- Whom a message belongs to is asked for every message: this one answers exactly that, whatever the planner knows.
create index tickets_open_of_contact on tickets (organization_id, livemode, contact_id, last_activity_at desc, id desc)
  where status = 'open';
create index tickets_of_assignee on tickets
  (organization_id, livemode, assignee_id, status, last_activity_at desc, id desc) where assignee_id is not null;
create index tickets_unread on tickets (organization_id, livemode, status, last_activity_at desc, id desc)
  where unread_count > 0;
call protect_tenant_table('tickets');

create function copy_contact_text() returns trigger language plpgsql as $$
begin
  new.contact_text := coalesce((
    select search_text from contacts
    where organization_id = new.organization_id and livemode = new.livemode and id = new.contact_id), '');
  return new;
end $$;
create trigger copy_contact_text before insert on tickets for each row execute function copy_contact_text();

create function retext_tickets() returns trigger language plpgsql as $$
begin
  update tickets set contact_text = new.search_text
  where organization_id = new.organization_id and livemode = new.livemode and contact_id = new.id;
  return null;
end $$;
create trigger retext_tickets after update on contacts for each row
  when (old.search_text <> new.search_text) execute function retext_tickets();

create table ticket_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  status          text not null,
  unread          boolean not null,
  -- All zeroes where nobody is assigned.
  assignee_id     uuid not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, status, unread, assignee_id, shard)
) with (fillfactor = 50);
call protect_tenant_table('ticket_counts');

create function count_tickets() returns trigger language plpgsql as $$
begin
  insert into ticket_counts as c (organization_id, livemode, status, unread, assignee_id, shard, n)
  select organization_id, livemode, status, unread_count > 0,
    coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'), counter_shard(),
    case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (organization_id, livemode, status, unread, assignee_id, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on tickets referencing new table as changed
  for each statement execute function count_tickets();
create trigger count_removed after delete on tickets referencing old table as changed
  for each statement execute function count_tickets();

-- Only when a figure moves: a trigger on the statement would run for every message.
create function recount_ticket() returns trigger language plpgsql as $$
begin
  insert into ticket_counts as c (organization_id, livemode, status, unread, assignee_id, shard, n)
  select organization_id, livemode, status, unread, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'),
    counter_shard(), n
  from (values
    (old.organization_id, old.livemode, old.status, old.unread_count > 0, old.assignee_id, -1),
    (new.organization_id, new.livemode, new.status, new.unread_count > 0, new.assignee_id, 1)
  ) moved (organization_id, livemode, status, unread, assignee_id, n)
  order by 1, 2, 3, 4, 5
  on conflict (organization_id, livemode, status, unread, assignee_id, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger recount after update on tickets for each row
  when (old.status <> new.status or (old.unread_count > 0) <> (new.unread_count > 0)
    or old.assignee_id is distinct from new.assignee_id)
  execute function recount_ticket();
-- A member who leaves takes assignments along in both modes at once: as whoever removes the member, it would see one.
grant create on schema public to frontdesk_system;
alter function recount_ticket() security definer set search_path = public, pg_temp;
revoke execute on function recount_ticket() from public;
alter function recount_ticket() owner to frontdesk_system;
revoke create on schema public from frontdesk_system;

-- When a contact last wrote to a channel: for 24 hours from then the platform takes free messages.
create table chat_windows (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  contact_id      uuid not null,
  channel_id      uuid not null,
  last_inbound_at timestamptz(3) not null,
  primary key (organization_id, livemode, contact_id, channel_id),
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade,
  foreign key (organization_id, livemode, channel_id) references channels
) with (fillfactor = 80);
call protect_tenant_table('chat_windows');

create table messages (
  organization_id    uuid not null default current_organization() references organizations on delete cascade,
  livemode           boolean not null default current_livemode(),
  id                 uuid not null,
  -- Null for a campaign's message to a contact without an open ticket: it stands in the timeline only.
  ticket_id          uuid,
  contact_id         uuid not null,
  channel_id         uuid not null,
  -- The platform's id; empty until it has accepted an outbound message.
  chat_message_id    text not null default '',
  direction          text not null check (direction in ('inbound', 'outbound')),
  message_type       text not null check (message_type in ('text', 'image', 'document', 'audio', 'video')),
  body               text not null default '',
  status             text not null check (status in ('sent', 'delivered', 'read', 'failed')),
  -- Why it failed: {code, message}. The code `unknown` means that nobody can say whether it was sent.
  error              jsonb,
  context_message_id text,
  -- From sender to {emoji, at}; an empty emoji is one that was taken back, kept so that an older event cannot revive it.
  reactions          jsonb,
  -- What the platform sent besides: the part of a type we have no column for, a referral, a template's variables.
  payload            jsonb,
  actor_type         text not null check (actor_type in ('user', 'ai', 'system')),
  actor_id           uuid,
  -- When the platform accepted an outbound message; null while it is on its way or will never be.
  accepted_at        timestamptz(3),
  -- An inbound message's time is the platform's.
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade,
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade,
  foreign key (organization_id, livemode, channel_id) references channels
) with (fillfactor = 80);
-- One inbound message is stored once however often the platform repeats it.
create unique index messages_platform_id_is_unique on messages (organization_id, livemode, channel_id, chat_message_id)
  where chat_message_id <> '';
create index messages_of_ticket on messages (organization_id, livemode, ticket_id, created_at, id);
create index messages_of_contact on messages (organization_id, livemode, contact_id, created_at, id);
-- What may have been lost on its way out. No status in it: a status moves often, and would no longer move in place.
create index messages_not_accepted on messages (created_at) where direction = 'outbound' and accepted_at is null;
create index messages_by_text on messages using gin (organization_id, lower(body) gin_trgm_ops)
  where ticket_id is not null and body <> '';
call protect_tenant_table('messages');

-- The file of a message, ours or the contact's.
create table message_media (
  organization_id   uuid not null default current_organization(),
  livemode          boolean not null default current_livemode(),
  id                uuid not null,
  message_id        uuid not null,
  -- `pending` until an inbound file was fetched from the platform.
  state             text not null check (state in ('pending', 'stored', 'failed')),
  error             text,
  platform_media_id text,
  mime_type         text,
  file_name         text,
  size_bytes        bigint,
  sha256            text,
  file_key          text,
  created_at        timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, message_id) references messages on delete cascade
);
create unique index message_media_of_message on message_media (organization_id, livemode, message_id);
call protect_tenant_table('message_media');
create trigger remove_file after delete on message_media for each row execute function remove_file();

-- Search, as for contacts: by the contact's name and number, and by what was written, where three characters are the
-- least that the trigram index can look for, and the newest ten thousand messages that hold them are looked at.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create function search_tickets(patterns text[], filters jsonb, page_size integer, page_offset integer)
  returns table (id uuid, total bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp set work_mem = '64MB' as $$
declare
  -- One `like` each: the trigram index knows no `like any`.
  is_called text := (select string_agg(format('t.contact_text like %L', pattern), ' or ') from unnest(patterns) pattern);
  is_named text := (select string_agg(format('c.search_text like %L', pattern), ' or ') from unnest(patterns) pattern);
  is_wanted text := 't.organization_id = $1 and t.livemode = $2';
  own_messages text := 'm.organization_id = $1 and m.livemode = $2 and m.ticket_id is not null and m.body <> ''''';
  is_written text := format('lower(m.body) like %L', patterns[1]);
  common boolean;
  -- The tickets in which it was written.
  hits uuid[] := '{}';
begin
  if length(patterns[1]) >= 5 then
    -- The planner has no statistics to tell rare from common here, so a look at the newest does. What is common is soon
    -- found by walking back from them, and the rest of it would tell nobody anything.
    execute 'select count(*) filter (where ' || is_written || ') > 20 from (
        select m.body from messages m where ' || own_messages || ' order by m.id desc limit 1000) m'
      into common using current_organization(), current_livemode();
    perform set_config('enable_bitmapscan', case when common then 'off' else 'on' end, true);
    execute 'select array(select distinct newest.ticket_id from (select m.ticket_id from messages m
        where ' || own_messages || ' and ' || is_written || ' order by m.id desc limit 10000) newest)'
      into hits using current_organization(), current_livemode();
    perform set_config('enable_bitmapscan', 'on', true);
  end if;
  execute 'select count(*) filter (where ' || is_called || ') > 50 from (select t.contact_text from tickets t where '
    || is_wanted || ' order by t.last_activity_at desc, t.id desc limit 1000) t'
    into common using current_organization(), current_livemode();
  common := common or exists (select from unnest(patterns) pattern where length(pattern) < 5);
  if filters ? 'status' then is_wanted := is_wanted || ' and t.status = ($3 ->> ''status'')'; end if;
  if filters ? 'contact_id' then is_wanted := is_wanted || ' and t.contact_id = ($3 ->> ''contact_id'')::uuid'; end if;
  if filters ? 'assignee_id' then is_wanted := is_wanted || ' and t.assignee_id = ($3 ->> ''assignee_id'')::uuid'; end if;
  if filters ? 'unread' then is_wanted := is_wanted || ' and (t.unread_count > 0) = ($3 ->> ''unread'')::boolean'; end if;
  if common then
    -- What is common is quicker found by walking: the primary key, which carries what is looked at, and the latest.
    if cardinality(hits) > 0 then is_called := is_called || ' or t.id = any ($4)'; end if;
    return query execute 'select page.id, n.total from (
        select count(*) as total from tickets t where ' || is_wanted || ' and (' || is_called || ')) n
      left join (
        select t.id from tickets t where ' || is_wanted || ' and (' || is_called || ')
        order by t.last_activity_at desc, t.id desc limit $5 offset $6) page on true'
      using current_organization(), current_livemode(), filters, hits, page_size, page_offset;
  else
    -- The rare are gathered first and sorted then.
    return query execute 'with people as materialized (
        select c.id from contacts c where c.organization_id = $1 and c.livemode = $2 and (' || is_named || ')
      ), found as materialized (
        select t.id, t.last_activity_at from people join tickets t on t.contact_id = people.id where ' || is_wanted || '
        union
        select t.id, t.last_activity_at from unnest($4) hit (id) join tickets t on t.id = hit.id where ' || is_wanted || '
      ) select page.id, n.total from (select count(*) as total from found) n left join (
        select found.id from found order by found.last_activity_at desc, found.id desc limit $5 offset $6) page on true'
      using current_organization(), current_livemode(), filters, hits, page_size, page_offset;
  end if;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function search_tickets from public;
set role frontdesk_system;
grant execute on function search_tickets to frontdesk_tenant;
reset role;
