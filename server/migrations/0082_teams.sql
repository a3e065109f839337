-- Adds teams, the availability of members, automatic assignment, its log, and away messages.
create table teams (
  organization_id        uuid not null default current_organization() references organizations on delete cascade,
  id                     uuid not null,
  name                   text not null,
  assignment             text not null check (assignment in ('manual', 'round_robin', 'least_busy')),
  schedule_id            uuid,
  -- The team that takes over while this one is closed.
  after_hours_team_id    uuid,
  reassign_after_minutes integer check (reassign_after_minutes > 0),
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint teams_schedule_exists foreign key (organization_id, schedule_id) references schedules,
  constraint teams_after_hours_team_exists foreign key (organization_id, after_hours_team_id) references teams
);
create unique index teams_name_is_unique on teams (organization_id, lower(name));
create index teams_of_schedule on teams (organization_id, schedule_id) where schedule_id is not null;
create index teams_after_hours on teams (organization_id, after_hours_team_id) where after_hours_team_id is not null;
call protect_tenant_table('teams');
create trigger audited
  after insert or delete or update of name, assignment, schedule_id, after_hours_team_id, reassign_after_minutes on teams
  for each row execute function audit_change('team',
    'name assignment schedule_id after_hours_team_id reassign_after_minutes', 'name');

create table team_members (
  organization_id  uuid not null default current_organization(),
  team_id          uuid not null,
  user_id          uuid not null,
  -- Orders the members for round robin.
  last_assigned_at timestamptz,
  primary key (organization_id, team_id, user_id),
  foreign key (organization_id, team_id) references teams on delete cascade,
  constraint team_members_are_members foreign key (organization_id, user_id) references members on delete cascade
);
create index team_members_by_member on team_members (organization_id, user_id);
call protect_tenant_table('team_members');
create trigger audited after insert or delete on team_members
  for each row execute function audit_change('team_member', 'team_id user_id');

-- A member without a row is online and has no limit.
create table member_availability (
  organization_id uuid not null default current_organization(),
  user_id         uuid not null,
  status          text not null default 'online' check (status in ('online', 'away', 'off')),
  capacity        integer check (capacity >= 0),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references members on delete cascade
);
call protect_tenant_table('member_availability');
create trigger audited after insert or update of capacity on member_availability
  for each row execute function audit_change('member_availability', 'capacity');

create table assignment_rules (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  channel_id      uuid not null,
  team_id         uuid,
  schedule_id     uuid,
  away_message    text,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, channel_id),
  constraint assignment_rules_channel_exists foreign key (organization_id, livemode, channel_id) references channels on delete cascade,
  constraint assignment_rules_team_exists foreign key (organization_id, team_id) references teams,
  constraint assignment_rules_schedule_exists foreign key (organization_id, schedule_id) references schedules
);
create index assignment_rules_of_team on assignment_rules (organization_id, team_id) where team_id is not null;
create index assignment_rules_of_schedule on assignment_rules (organization_id, schedule_id) where schedule_id is not null;
call protect_tenant_table('assignment_rules');
create trigger audited after insert or delete or update of team_id, schedule_id, away_message on assignment_rules
  for each row execute function audit_change('assignment_rule', 'channel_id team_id schedule_id away_message');

alter table tickets add column team_id uuid,
  add constraint tickets_team_exists foreign key (organization_id, team_id) references teams on delete set null (team_id)
    not valid;

-- Every change of a ticket's team or assignee, however it came about: a trigger writes it in the transaction of the change.
create table ticket_assignments (
  organization_id      uuid not null,
  livemode             boolean not null,
  id                   uuid not null default new_id(),
  ticket_id            uuid not null,
  team_id              uuid,
  assignee_id          uuid,
  previous_assignee_id uuid,
  reason               text not null,
  actor_type           text not null check (actor_type in ('user', 'key', 'system')),
  actor_id             uuid,
  created_at           timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade
);
create index ticket_assignments_of_ticket on ticket_assignments (organization_id, livemode, ticket_id, id);
call protect_tenant_table('ticket_assignments');

create function log_assignment() returns trigger language plpgsql as $$
declare
  origin jsonb := coalesce(nullif(current_setting('frontdesk.origin', true), ''), '{}')::jsonb;
  reason text := nullif(current_setting('frontdesk.assignment_reason', true), '');
begin
  if reason is null then
    reason := case when new.assignee_id is null and old.assignee_id is not null and not exists (
        select from members where organization_id = old.organization_id and user_id = old.assignee_id)
      then 'member_removed' else 'manual' end;
  end if;
  insert into ticket_assignments
    (organization_id, livemode, ticket_id, team_id, assignee_id, previous_assignee_id, reason, actor_type, actor_id)
  values (new.organization_id, new.livemode, new.id, new.team_id, new.assignee_id, old.assignee_id, reason,
    coalesce(origin ->> 'actor_type', 'system'), (origin ->> 'actor_id')::uuid);
  return null;
end $$;
create trigger log_assignment after update on tickets for each row
  when (old.assignee_id is distinct from new.assignee_id or old.team_id is distinct from new.team_id)
  execute function log_assignment();
-- A member who leaves takes assignments along in both modes at once, as with recount_ticket.
grant create on schema public to frontdesk_system;
alter function log_assignment() security definer set search_path = public, pg_temp;
revoke execute on function log_assignment() from public;
alter function log_assignment() owner to frontdesk_system;
revoke create on schema public from frontdesk_system;

-- One away message for each ticket and closed period, which is named by its end.
create table away_messages (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  ticket_id       uuid not null,
  opens_at        timestamptz not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, ticket_id, opens_at),
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade
);
call protect_tenant_table('away_messages');

-- Whether an agent answers the ticket now.
create function is_answered_by_ai(ticket tickets) returns boolean language sql stable as $$
  select exists (
    select from contacts c
      join channels on channels.organization_id = c.organization_id and channels.livemode = c.livemode
        and channels.id = ticket.channel_id
      join agents a on a.organization_id = c.organization_id and a.livemode = c.livemode and a.id = channels.agent_id
    where c.organization_id = ticket.organization_id and c.livemode = ticket.livemode and c.id = ticket.contact_id
      and c.ai_handling and channels.deleted_at is null and replies_now(a))
$$;

-- The last reply in a ticket. Messages of campaigns and away messages are none; those of the AI count if `with_ai`.
create function last_reply(ticket tickets, with_ai boolean) returns messages language sql stable as $$
  select m from messages m
  where m.organization_id = ticket.organization_id and m.livemode = ticket.livemode and m.ticket_id = ticket.id
    and m.direction = 'outbound' and (m.actor_type = 'user' or with_ai and m.actor_type = 'ai')
    and m.accepted_at is not null and m.status <> 'failed' and m.payload ->> 'campaign_id' is null
  order by m.id desc limit 1
$$;

-- Since when the contact waits for a reply; null if it does not.
create function unanswered_since(ticket tickets, with_ai boolean) returns timestamptz language sql stable as $$
  select min(m.created_at) from messages m
  where m.organization_id = ticket.organization_id and m.livemode = ticket.livemode and m.ticket_id = ticket.id
    and m.direction = 'inbound'
    and m.id > coalesce((last_reply(ticket, with_ai)).id, '00000000-0000-0000-0000-000000000000')
$$;

-- The same for a person: answers of the AI count while the AI handles the contact.
create function waits_for_person_since(ticket tickets) returns timestamptz language sql stable as $$
  select unanswered_since(ticket, c.ai_handling) from contacts c
  where c.organization_id = ticket.organization_id and c.livemode = ticket.livemode and c.id = ticket.contact_id
$$;
