-- Adds messages that are sent later. The message itself is created when it is sent.
create table scheduled_messages (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  ticket_id       uuid not null,
  -- As for sending a message at once.
  message         jsonb not null,
  send_at         timestamptz(3) not null,
  status          text not null default 'scheduled' check (status in ('scheduled', 'sent', 'cancelled', 'failed')),
  -- Why it could not be sent: {code, message}.
  error           jsonb,
  message_id      uuid,
  actor_type      text not null,
  actor_id        uuid,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade
);
create index scheduled_messages_of_ticket on scheduled_messages (organization_id, livemode, ticket_id, id desc);
call protect_tenant_table('scheduled_messages');
