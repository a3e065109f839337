-- Adds what reports are computed from: a row for each time that a ticket was open, and messages by quarter of an hour.
-- Written by one event subscription, in the order of the events. See ADR 60.
create table reported_conversations (
  organization_id       uuid not null default current_organization(),
  livemode              boolean not null default current_livemode(),
  ticket_id             uuid not null,
  -- When the ticket was opened, or reopened.
  started_at            timestamptz(3) not null,
  is_reopened           boolean not null,
  -- The contact when it was open: a hand-off names its contact, not its ticket.
  contact_id            uuid not null,
  channel_id            uuid,
  assignee_id           uuid,
  team_id               uuid,
  ticket_tags           text[] not null,
  -- The member who replied first.
  replier_id            uuid,
  first_inbound_at      timestamptz(3),
  -- The first reply after `first_inbound_at`, by an agent or a member, and the first by a member.
  first_reply_at        timestamptz(3),
  first_member_reply_at timestamptz(3),
  agent_replies         integer not null,
  member_replies        integer not null,
  is_handed_off         boolean not null,
  -- Null while the ticket is open.
  ended_at              timestamptz(3),
  -- A ticket has one rating, at the conversation that was its latest when the contact rated it.
  rating                text,
  rated_at              timestamptz(3),
  primary key (organization_id, livemode, ticket_id, started_at),
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade
) with (fillfactor = 80);
create index reported_conversations_started on reported_conversations (organization_id, livemode, started_at);
create index reported_conversations_ended on reported_conversations (organization_id, livemode, ended_at, started_at)
  where ended_at is not null;
create index reported_conversations_rated on reported_conversations (organization_id, livemode, rated_at)
  where rated_at is not null;
create index reported_conversations_open on reported_conversations (organization_id, livemode, contact_id)
  where ended_at is null;
call protect_tenant_table('reported_conversations');

-- Every time zone in use is a multiple of 15 minutes from UTC, so days of any zone consist of whole quarters.
create table reported_messages (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  quarter         timestamptz(3) not null,
  channel_id      uuid not null,
  sender          text not null check (sender in ('contact', 'member', 'agent', 'campaign', 'system')),
  n               bigint not null,
  primary key (organization_id, livemode, quarter, channel_id, sender)
) with (fillfactor = 80);
call protect_tenant_table('reported_messages');
