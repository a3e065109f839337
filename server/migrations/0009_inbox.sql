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
  -- Orders the lists: a message, an opening, a closing.
  last_activity_at timestamptz(3) not null default now(),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  constraint tickets_contact_exists
    foreign key (organization_id, livemode, contact_id) references contacts on delete cascade,
  constraint tickets_channel_exists foreign key (organization_id, livemode, channel_id) references channels,
  constraint tickets_assignee_is_a_member
    foreign key (organization_id, assignee_id) references members on delete set null (assignee_id)
) with (fillfactor = 80);
create index tickets_by_activity on tickets (organization_id, livemode, last_activity_at desc, id desc);
create index tickets_by_status on tickets (organization_id, livemode, status, last_activity_at desc, id desc);
create index tickets_of_contact on tickets (organization_id, livemode, contact_id, last_activity_at desc, id desc);
call protect_tenant_table('tickets');

create table ticket_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  status          text not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, status, shard)
) with (fillfactor = 50);
call protect_tenant_table('ticket_counts');

create function count_tickets() returns trigger language plpgsql as $$
begin
  insert into ticket_counts as c (organization_id, livemode, status, shard, n)
  select organization_id, livemode, status, counter_shard(), case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2, 3 order by 1, 2, 3
  on conflict (organization_id, livemode, status, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on tickets referencing new table as changed
  for each statement execute function count_tickets();
create trigger count_removed after delete on tickets referencing old table as changed
  for each statement execute function count_tickets();

create function recount_ticket() returns trigger language plpgsql as $$
begin
  insert into ticket_counts as c (organization_id, livemode, status, shard, n)
  values (old.organization_id, old.livemode, old.status, counter_shard(), -1),
    (new.organization_id, new.livemode, new.status, counter_shard(), 1)
  on conflict (organization_id, livemode, status, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger recount after update on tickets for each row
  when (old.status <> new.status) execute function recount_ticket();

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
