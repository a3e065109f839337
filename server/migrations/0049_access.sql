-- Roles that an organization defines, and the addresses that a key may be used from. `role` of a member or an invitation is the name of a
-- built-in role or the id of such a role; the generated column holds the reference, so that a role in use stays.
create table roles (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  name            text not null,
  scopes          text[] not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index roles_name_is_unique on roles (organization_id, lower(name));
call protect_tenant_table('roles');
create trigger audited after insert or delete or update of name, scopes on roles
  for each row execute function audit_change('role', 'name scopes', 'name');

create function custom_role(role text) returns uuid
  language sql immutable parallel safe
  return case when role not in ('owner', 'admin', 'supervisor', 'member', 'read_only') then role::uuid end;

alter table members drop constraint members_role_check,
  add column custom_role_id uuid generated always as (custom_role(role)) stored,
  add constraint members_role_exists foreign key (organization_id, custom_role_id) references roles;
create index members_of_role on members (organization_id, custom_role_id) where custom_role_id is not null;

-- An accepted invitation is history and does not keep its role.
alter table invitations drop constraint invitations_role_check,
  add column custom_role_id uuid generated always as (case when accepted_at is null then custom_role(role) end) stored,
  add constraint invitations_role_exists foreign key (organization_id, custom_role_id) references roles;
create index invitations_of_role on invitations (organization_id, custom_role_id) where custom_role_id is not null;

-- Addresses and ranges that requests with this key may come from; null for any.
alter table keys add column allowed_ips text[];
drop trigger audited on keys;
create trigger audited after insert or delete or update of name, scopes, expires_at, revoked_at, allowed_ips on keys
  for each row execute function audit_change('key',
    'name mode scopes prefix last_four expires_at revoked_at allowed_ips', 'name');
