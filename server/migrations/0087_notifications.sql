-- Adds notifications of members, their preferences, and the devices that receive them by web push.
-- Who caused an event: a member or a key, null for the service itself.
alter table events add column actor_id uuid;
alter table events alter actor_id
  set default (nullif(current_setting('frontdesk.origin', true), '')::jsonb ->> 'actor_id')::uuid;

create table notifications (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  user_id         uuid not null,
  kind            text not null check (kind in ('assigned', 'message', 'unassigned', 'mention', 'handoff')),
  ticket_id       uuid not null,
  -- How many times it happened while unread.
  count           integer not null default 1,
  -- When the first device in use claimed to show it: no other device alerts the member.
  shown_at        timestamptz(3),
  read_at         timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, user_id) references members on delete cascade,
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade
);
-- The next one of the same kind replaces an unread one.
create unique index notifications_unread on notifications (organization_id, livemode, user_id, ticket_id, kind)
  where read_at is null;
create index notifications_of_member on notifications (organization_id, livemode, user_id, id desc);
create index notifications_of_user on notifications (organization_id, user_id);
create index notifications_of_ticket on notifications (organization_id, livemode, ticket_id);
create index notifications_by_id on notifications (id);
call protect_tenant_table('notifications');

-- A member without a row has the defaults.
create table notification_preferences (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  user_id         uuid not null,
  mine            boolean not null default true,
  mentions        boolean not null default true,
  unassigned      boolean not null default true,
  email_digest    text not null default 'off' check (email_digest in ('off', 'hourly', 'daily')),
  -- Both or none.
  quiet_from      time,
  quiet_until     time,
  -- Of the quiet hours; null for the organization's.
  time_zone       text,
  digested_at     timestamptz(3) not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references members on delete cascade,
  check ((quiet_from is null) = (quiet_until is null))
);
create index notification_digests on notification_preferences (digested_at) where email_digest <> 'off';
call protect_tenant_table('notification_preferences');

-- Browsers of people, whatever organizations they belong to. A browser that is signed out receives nothing.
create table push_subscriptions (
  id         uuid primary key,
  user_id    uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  endpoint   text not null constraint push_subscriptions_endpoint_is_unique unique,
  p256dh     bytea not null,
  auth       bytea not null,
  created_at timestamptz(3) not null default now()
);
create index push_subscriptions_of_user on push_subscriptions (user_id);
create index push_subscriptions_of_session on push_subscriptions (session_id);
grant select, insert, update, delete on push_subscriptions to frontdesk_system;
