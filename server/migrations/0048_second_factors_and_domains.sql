-- Second factors of people: an authenticator app (TOTP), passkeys and recovery codes. An organization can require one,
-- and can let people with an email of its domain join.
create table authenticators (
  user_id       uuid primary key references users on delete cascade,
  -- encrypted with SECRET_KEY
  sealed_secret bytea not null,
  -- The time step of the last accepted code: a code is accepted once.
  last_step     bigint not null default 0,
  created_at    timestamptz(3) not null default now(),
  -- Null until the person has entered a first code; until then it is not asked for.
  confirmed_at  timestamptz(3)
);

create table recovery_codes (
  user_id     uuid not null references users on delete cascade,
  code_digest bytea not null,
  used_at     timestamptz(3),
  primary key (user_id, code_digest)
);

create table passkeys (
  id            uuid primary key,
  user_id       uuid not null references users on delete cascade,
  credential_id text not null constraint passkeys_credential_is_unique unique,
  public_key    bytea not null,
  -- Grows with each use, or stays 0 if the device does not count.
  counter       bigint not null,
  name          text not null,
  created_at    timestamptz(3) not null default now(),
  last_used_at  timestamptz(3)
);
create index passkeys_of_user on passkeys (user_id);

-- Challenges that a browser has not answered yet. Without a person: for signing in.
create table passkey_challenges (
  challenge_hash bytea primary key,
  user_id        uuid references users on delete cascade,
  expires_at     timestamptz(3) not null
);
grant select, insert, update, delete on authenticators, recovery_codes, passkeys, passkey_challenges to frontdesk_system;

alter table sessions drop constraint sessions_signed_in_by_check;
alter table sessions add constraint sessions_signed_in_by_check
  check (signed_in_by in ('password', 'link', 'invitation', 'passkey'));

alter table organizations add column requires_second_factor boolean not null default false;

create table domains (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  domain          text not null,
  role            text not null check (role in ('admin', 'supervisor', 'member', 'read_only')),
  -- What the DNS record must say. It names no organization, so that the record reveals none.
  verification    text not null,
  verified_at     timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index domains_once_per_organization on domains (organization_id, domain);
create unique index domains_verified_once on domains (domain) where verified_at is not null;
call protect_tenant_table('domains');

grant create on schema public to frontdesk_system;
set role frontdesk_system;

-- Entries about a person's account appear in each of their organizations.
create function audit_account(person uuid, action text, details jsonb, fallback_user uuid) returns void
  language plpgsql set search_path = public, pg_temp as $$
begin
  perform write_audit_entry(m.organization_id, null, action, split_part(action, '.', 1), person, u.email, null, details,
    fallback_user)
  from members m join users u on u.id = m.user_id where m.user_id = person;
end $$;

-- Argument: the kind of the second factor.
create function audit_second_factor() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  person uuid := case tg_op when 'DELETE' then old.user_id else new.user_id end;
begin
  perform audit_account(person, case tg_op when 'DELETE' then 'second_factor.removed' else 'second_factor.added' end,
    jsonb_build_object('kind', tg_argv[0]), person);
  return null;
end $$;

create function audit_recovery_code() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform audit_account(new.user_id, 'recovery_code.used', jsonb_build_object('left',
    (select count(*) from recovery_codes c where c.user_id = new.user_id and c.used_at is null)), new.user_id);
  return null;
end $$;

-- A failed attempt to sign in. The caller has not proved to be that person, so the entry has no actor.
create function audit_failed_sign_in(person uuid, details jsonb) returns void
  language sql volatile security definer set search_path = public, pg_temp
  return audit_account(person, 'sign_in.failed', details, null);

reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function audit_account, audit_second_factor, audit_recovery_code, audit_failed_sign_in from public;

create trigger audited after update of confirmed_at on authenticators
  for each row when (old.confirmed_at is null and new.confirmed_at is not null)
  execute function audit_second_factor('authenticator');
create trigger audited_end after delete on authenticators
  for each row when (old.confirmed_at is not null) execute function audit_second_factor('authenticator');
create trigger audited after insert or delete on passkeys
  for each row execute function audit_second_factor('passkey');
create trigger audited after update of used_at on recovery_codes
  for each row when (old.used_at is null and new.used_at is not null) execute function audit_recovery_code();

drop trigger audited on organizations;
create trigger audited after update of name, requires_second_factor on organizations
  for each row execute function audit_change('organization', 'name requires_second_factor', 'name');
create trigger audited after insert or delete or update of verified_at on domains
  for each row execute function audit_change('domain', 'domain role verified_at', 'domain');
