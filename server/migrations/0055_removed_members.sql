-- Removed members are remembered, so that they do not join again by a verified domain.
create table removed_members (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  user_id         uuid not null references users on delete cascade,
  removed_at      timestamptz(3) not null default now(),
  primary key (organization_id, user_id)
);
call protect_tenant_table('removed_members');
