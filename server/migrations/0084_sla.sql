-- Adds SLA policies, and the targets and due times of tickets.
create table sla_policies (
  organization_id     uuid not null default current_organization() references organizations on delete cascade,
  id                  uuid not null,
  name                text not null,
  -- Null for every team, or every priority.
  team_id             uuid,
  priority            text check (priority in ('low', 'normal', 'high', 'urgent')),
  schedule_id         uuid,
  first_reply_minutes integer check (first_reply_minutes > 0),
  next_reply_minutes  integer check (next_reply_minutes > 0),
  resolution_minutes  integer check (resolution_minutes > 0),
  warning_minutes     integer not null check (warning_minutes >= 0),
  counts_ai_replies   boolean not null,
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint sla_policies_team_exists foreign key (organization_id, team_id) references teams,
  constraint sla_policies_schedule_exists foreign key (organization_id, schedule_id) references schedules
);
create unique index sla_policies_apply_once on sla_policies
  (organization_id, coalesce(team_id, '00000000-0000-0000-0000-000000000000'), coalesce(priority, ''));
create index sla_policies_of_team on sla_policies (organization_id, team_id) where team_id is not null;
create index sla_policies_of_schedule on sla_policies (organization_id, schedule_id) where schedule_id is not null;
call protect_tenant_table('sla_policies');
create trigger audited after insert or delete or update on sla_policies for each row execute function audit_change(
  'sla_policy', 'name team_id priority schedule_id first_reply_minutes next_reply_minutes resolution_minutes warning_minutes counts_ai_replies',
  'name');

-- What a ticket is held to. A target is met once: then its row is history.
create table ticket_targets (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  ticket_id       uuid not null,
  kind            text not null check (kind in ('first_reply', 'next_reply', 'resolution')),
  started_at      timestamptz(3) not null,
  due_at          timestamptz(3) not null,
  warn_at         timestamptz(3) not null,
  warned_at       timestamptz(3),
  breached_at     timestamptz(3),
  ended_at        timestamptz(3),
  primary key (organization_id, livemode, ticket_id, kind, started_at),
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade
);
call protect_tenant_table('ticket_targets');

-- The first of its targets.
alter table tickets add column sla_due_at timestamptz(3), add column sla_target text;

create function priority_of(ticket tickets) returns text language sql stable
  return (array['low', 'normal', 'high', 'urgent'])[ticket.priority + 1];
