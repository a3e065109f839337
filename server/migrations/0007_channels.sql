-- A channel is one phone number of the organization, for chat, voice or both.
create table channels (
  organization_id     uuid not null default current_organization() references organizations on delete cascade,
  livemode            boolean not null default current_livemode(),
  id                  uuid not null,
  phone_number        text not null,
  display_name        text not null default '',
  agent_id            uuid,
  messages_per_second integer not null default 80 check (messages_per_second between 1 and 1000),
  -- What may be shown of each side; the secrets beside it are encrypted with SECRET_KEY.
  chat                jsonb,
  sealed_chat         bytea,
  voice               jsonb,
  sealed_voice        bytea,
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  deleted_at          timestamptz(3),
  primary key (organization_id, livemode, id)
);
create unique index channels_phone_is_unique on channels (organization_id, livemode, phone_number)
  where deleted_at is null;
create unique index channels_chat_number_is_unique on channels (organization_id, livemode, (chat ->> 'phone_number_id'))
  where deleted_at is null and chat is not null;
create unique index channels_voice_number_is_unique on channels (organization_id, livemode, (voice ->> 'phone_number_id'))
  where deleted_at is null and voice is not null;
call protect_tenant_table('channels');
