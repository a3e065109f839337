-- Second factors of people: an authenticator app (TOTP) and recovery codes. An organization can require one.
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
grant select, insert, update, delete on authenticators, recovery_codes to frontdesk_system;

alter table organizations add column requires_second_factor boolean not null default false;

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

create function audit_authenticator() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform audit_account(old.user_id, case tg_op when 'DELETE' then 'second_factor.removed' else 'second_factor.added' end,
    '{"kind": "authenticator"}', old.user_id);
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
revoke execute on function audit_account, audit_authenticator, audit_recovery_code, audit_failed_sign_in from public;

create trigger audited after update of confirmed_at on authenticators
  for each row when (old.confirmed_at is null and new.confirmed_at is not null) execute function audit_authenticator();
create trigger audited_end after delete on authenticators
  for each row when (old.confirmed_at is not null) execute function audit_authenticator();
create trigger audited after update of used_at on recovery_codes
  for each row when (old.used_at is null and new.used_at is not null) execute function audit_recovery_code();

drop trigger audited on organizations;
create trigger audited after update of name, requires_second_factor on organizations
  for each row execute function audit_change('organization', 'name requires_second_factor', 'name');
