-- Adds edits of all contacts that match a filter, done by a job with progress.
create table contact_bulk_edits (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  filter          jsonb not null,
  -- {add_tags, remove_tags, stage, ai_handling} or {delete: true}.
  changes         jsonb not null,
  state           text not null default 'running' check (state in ('running', 'completed', 'cancelled')),
  total           bigint not null,
  processed       bigint not null default 0,
  -- Contacts up to here are done: the next worker continues behind it.
  last_id         uuid not null default '00000000-0000-0000-0000-000000000000',
  actor_type      text not null,
  actor_id        uuid,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id)
);
call protect_tenant_table('contact_bulk_edits');
