-- An agent talks for the organization: on the phone, in the inbox, in a trial. Its configuration is kept whole; values of
-- headers are masked in it and stand, encrypted with SECRET_KEY, beside it.
create table agents (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  name            text not null check (name <> ''),
  agent_type      text not null check (agent_type in ('prompt', 'static')),
  is_active       text not null check (is_active in ('active', 'inactive')),
  timezone        text,
  config          jsonb not null,
  sealed_headers  bytea,
  version         integer not null default 1,
  -- The agent of test mode that this one is a copy of: promoting that one again changes this one.
  promoted_from   uuid,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id)
);
create unique index agents_are_promoted_once on agents (organization_id, livemode, promoted_from)
  where promoted_from is not null;
call protect_tenant_table('agents');

-- Each version as it was: calls keep the number of the one they ran with.
create table agent_versions (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  agent_id        uuid not null,
  version         integer not null,
  name            text not null,
  agent_type      text not null,
  is_active       text not null,
  timezone        text,
  config          jsonb not null,
  sealed_headers  bytea,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, agent_id, version),
  foreign key (organization_id, livemode, agent_id) references agents on delete cascade
);
call protect_tenant_table('agent_versions');

-- Nobody could choose an agent before there were any.
alter table channels add constraint channels_agent_exists
  foreign key (organization_id, livemode, agent_id) references agents on delete set null (agent_id);
create index channels_of_agent on channels (organization_id, livemode, agent_id) where agent_id is not null;

-- Trials: POST /agents/{agent_id}/chat goes on where its session stopped. Swept a day after the last word.
create table agent_sessions (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  agent_id        uuid not null,
  session_id      text not null,
  turns           jsonb not null,
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, agent_id, session_id),
  foreign key (organization_id, livemode, agent_id) references agents on delete cascade
);
create index agent_sessions_by_age on agent_sessions (updated_at);
call protect_tenant_table('agent_sessions');

-- Messages of contacts that an agent has yet to answer. An answer takes its rows away in the transaction that writes it
-- down, and whoever finds none left has nothing to answer: that is why no message is answered twice.
create table messages_to_answer (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  message_id      uuid not null,
  ticket_id       uuid not null,
  attempts        integer not null default 0,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, message_id),
  foreign key (organization_id, livemode, message_id) references messages on delete cascade
);
create index messages_to_answer_of_ticket on messages_to_answer (organization_id, livemode, ticket_id, message_id);
call protect_tenant_table('messages_to_answer');

-- The answers of agents, for the bound on how many one contact gets in an hour; swept after it.
create table agent_answers (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  message_id      uuid not null,
  contact_id      uuid not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, message_id),
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade
);
create index agent_answers_of_contact on agent_answers (organization_id, livemode, contact_id, created_at);
create index agent_answers_by_age on agent_answers (created_at);
call protect_tenant_table('agent_answers');
