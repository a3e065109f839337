-- Organizations, the people in them and how they sign in, and API keys.
create table organizations (
  id         uuid primary key,
  name       text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy own_rows on organizations to frontdesk_tenant using (id = current_organization());
create policy every_row on organizations to frontdesk_system using (true) with check (true);
grant select, update on organizations to frontdesk_tenant;
grant select, insert, update, delete on organizations to frontdesk_system;

-- People exist once, whatever organizations they belong to.
create table users (
  id            uuid primary key,
  email         text not null,
  name          text not null default '',
  password_hash text,
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now()
);
create unique index users_email_is_unique on users (lower(email));

create table members (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  user_id         uuid not null references users on delete cascade,
  role            text not null check (role in ('owner', 'admin', 'member')),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, user_id)
);
create index members_of_user on members (user_id);
call protect_tenant_table('members');

-- A tenant sees its own people, never their password hashes.
alter table users enable row level security;
alter table users force row level security;
create policy own_people on users for select to frontdesk_tenant
  using (exists (select from members where members.user_id = users.id));
create policy every_row on users to frontdesk_system using (true) with check (true);
grant select (id, email, name, created_at, updated_at) on users to frontdesk_tenant;
grant select, insert, update, delete on users to frontdesk_system;

create table invitations (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  email           text not null,
  role            text not null check (role in ('owner', 'admin', 'member')),
  token_hash      bytea not null,
  invited_by      uuid references users on delete set null,
  expires_at      timestamptz(3) not null,
  accepted_at     timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index invitations_token_is_unique on invitations (token_hash);
create index invitations_of_email on invitations (lower(email)) where accepted_at is null;
create unique index invitations_one_open_per_email on invitations (organization_id, lower(email))
  where accepted_at is null;
call protect_tenant_table('invitations');

create table keys (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  name            text not null,
  mode            text not null check (mode in ('test', 'live')),
  scopes          text[] not null,
  token_hash      bytea not null,
  prefix          text not null,
  last_four       text not null,
  expires_at      timestamptz(3),
  last_used_at    timestamptz(3),
  revoked_at      timestamptz(3),
  created_by      uuid references users on delete set null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index keys_token_is_unique on keys (token_hash);
call protect_tenant_table('keys');

-- What follows is for signing in: no tenant ever reads it.
create table user_identities (
  issuer     text not null,
  subject    text not null,
  user_id    uuid not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (issuer, subject)
);

create table sessions (
  id           uuid primary key,
  user_id      uuid not null references users on delete cascade,
  secret_hash  bytea not null,
  -- Whoever came by a sign-in link may set a new password without knowing the old one.
  signed_in_by text not null check (signed_in_by in ('password', 'link', 'invitation')),
  user_agent   text not null default '',
  created_at   timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at   timestamptz(3) not null,
  revoked_at   timestamptz(3)
);
create unique index sessions_secret_is_unique on sessions (secret_hash);
create index sessions_of_user on sessions (user_id);

create table sign_in_links (
  token_hash bytea primary key,
  user_id    uuid not null references users on delete cascade,
  expires_at timestamptz(3) not null,
  used_at    timestamptz(3)
);

create table signing_keys (
  id         text primary key,
  public_jwk jsonb not null,
  -- encrypted with SECRET_KEY
  sealed_private_jwk bytea not null,
  created_at timestamptz(3) not null default now()
);

-- Facts about this installation: when it first started, which bootstrap key it has seen.
create table installation (
  name  text primary key,
  value jsonb not null
);

grant select, insert, update, delete
  on user_identities, sessions, sign_in_links, signing_keys, installation to frontdesk_system;
