-- The addresses that the chat platform posts to. Channels of one organization and mode that share a platform app share
-- an address; the app is known by a keyed hash of its secret. An address stays when the secret is replaced.
create table chat_hooks (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  app_hash        bytea not null,
  -- The random part of the address.
  id              text not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, app_hash)
);
create index chat_hooks_by_id on chat_hooks (id);
call protect_tenant_table('chat_hooks');

alter table channels
  -- Null while there is no app secret of its own: such channels hear from the app of the whole installation.
  add column chat_app_hash bytea,
  -- Since when it has its `phone_number_id`: where two organizations name the same one, the first has it.
  add column chat_claimed_at timestamptz(3),
  add constraint channels_hook_exists
    foreign key (organization_id, livemode, chat_app_hash) references chat_hooks;
set role frontdesk_system;
update channels set chat_claimed_at = created_at where chat is not null;
reset role;
create index channels_of_app on channels (organization_id, livemode, chat_app_hash) where deleted_at is null;
-- A hook of the whole installation looks through all organizations.
create index channels_by_chat_number on channels ((chat ->> 'phone_number_id')) where deleted_at is null;
create index channels_by_chat_account on channels ((chat ->> 'business_account_id')) where deleted_at is null;

-- When a contact last said whether it wants to hear from us, by the platform's clock: an older word changes nothing.
alter table contacts add column consent_at timestamptz(3);

-- What the platform posted, as it came: stored before it is answered, removed when it has been applied. Only the
-- worker's role may look; the columns say whose hook it came by, null for the one of the whole installation.
create table incoming_hooks (
  id                   uuid primary key,
  hook_organization_id uuid,
  hook_livemode        boolean,
  hook_app_hash        bytea,
  body                 bytea not null,
  received_at          timestamptz(3) not null default now(),
  attempts             smallint not null default 0,
  due_at               timestamptz(3) not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
grant select, insert, update, delete on incoming_hooks to frontdesk_system;

-- What could not be applied: `ignored` when we have no use for (part of) it, `failed` when applying it failed.
create table kept_hooks (
  id                   uuid primary key,
  hook_organization_id uuid,
  hook_livemode        boolean,
  hook_app_hash        bytea,
  body                 bytea not null,
  received_at          timestamptz(3) not null,
  outcome              text not null check (outcome in ('ignored', 'failed')),
  -- Why: the error of a failed one, what was not understood of an ignored one.
  reason               text not null,
  attempts             smallint not null,
  kept_at              timestamptz(3) not null default now()
);
create index kept_hooks_by_outcome on kept_hooks (outcome, kept_at);
grant select, insert, update, delete on kept_hooks to frontdesk_system;

-- Statuses and reactions that came before the message they are about: tried again for some minutes.
create table early_updates (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  kind            text not null check (kind in ('status', 'reaction')),
  data            jsonb not null,
  attempts        smallint not null default 0,
  due_at          timestamptz(3) not null,
  primary key (organization_id, livemode, id)
);
create index early_updates_due on early_updates (due_at);
call protect_tenant_table('early_updates');
