-- Operators of the installation, and what they decide for one organization: limits, and whether it is suspended.
create table operators (
  user_id    uuid primary key references users on delete cascade,
  created_at timestamptz(3) not null default now()
);
grant select, insert, delete on operators to frontdesk_system;

alter table organizations
  add column suspended_at timestamptz(3),
  add column suspended_reason text,
  -- Null for the installation's setting.
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column calls_at_once integer check (calls_at_once >= 0);
create index organizations_suspended on organizations (id) where suspended_at is not null;

-- An organization cannot lift its own suspension or its limits.
revoke update on organizations from frontdesk_tenant;
grant update (name, requires_second_factor, updated_at) on organizations to frontdesk_tenant;

drop trigger audited on organizations;
create trigger audited
  after update of name, requires_second_factor, suspended_at, suspended_reason, requests_per_minute, calls_at_once on organizations
  for each row execute function audit_change('organization',
    'name requires_second_factor suspended_at suspended_reason requests_per_minute calls_at_once', 'name');
