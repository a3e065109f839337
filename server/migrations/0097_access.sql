-- Adds limited access of members: to the conversations of some channels and teams.
-- A limited member sees the conversations of these channels and teams, and those assigned to them. See ADR 62.
alter table members add column is_limited boolean not null default false;
drop trigger audited on members;
create trigger audited after insert or delete or update of role, is_limited on members
  for each row execute function audit_change('member', 'role is_limited');

create table member_channels (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  user_id         uuid not null,
  channel_id      uuid not null,
  primary key (organization_id, livemode, user_id, channel_id),
  foreign key (organization_id, user_id) references members on delete cascade,
  constraint member_channels_channel_exists foreign key (organization_id, livemode, channel_id) references channels on delete cascade
);
create index member_channels_of_user on member_channels (organization_id, user_id);
create index member_channels_of_channel on member_channels (organization_id, livemode, channel_id);
call protect_tenant_table('member_channels');
create trigger audited after insert or delete on member_channels
  for each row execute function audit_change('member_channel', 'channel_id user_id');

create table member_teams (
  organization_id uuid not null default current_organization(),
  user_id         uuid not null,
  team_id         uuid not null,
  primary key (organization_id, user_id, team_id),
  foreign key (organization_id, user_id) references members on delete cascade,
  constraint member_teams_team_exists foreign key (organization_id, team_id) references teams on delete cascade
);
create index member_teams_of_team on member_teams (organization_id, team_id);
call protect_tenant_table('member_teams');
create trigger audited after insert or delete on member_teams
  for each row execute function audit_change('member_team', 'team_id user_id');

create function channels_of(organization uuid, is_live boolean, member uuid) returns uuid[]
  language sql stable parallel safe
  return array(select channel_id from member_channels
    where organization_id = organization and livemode = is_live and user_id = member);

create function teams_of(organization uuid, member uuid) returns uuid[]
  language sql stable parallel safe
  return array(select team_id from member_teams where organization_id = organization and user_id = member);

-- The rule itself: whether a conversation is within these channels and teams, or assigned to the member.
create function is_within(channel uuid, team uuid, assignee uuid, channels uuid[], teams uuid[], member uuid) returns boolean
  language sql immutable parallel safe
  return channel = any (channels) or team = any (teams) or assignee = member;

-- For what concerns other members: whom a note mentions, who is notified.
create function sees_ticket(organization uuid, is_live boolean, ticket uuid, member uuid) returns boolean
  language sql stable
  return exists (
    select from members m join tickets t on t.organization_id = m.organization_id
    where m.organization_id = organization and m.user_id = member and t.livemode = is_live and t.id = ticket
      and (not m.is_limited or is_within(t.channel_id, t.team_id, t.assignee_id,
        channels_of(organization, is_live, member), teams_of(organization, member), member)));

-- The member with limited access for whom the transaction runs; null for others.
create function limited_member() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('frontdesk.limited_member', true), '')::uuid;

create function limited_channels() returns uuid[]
  language sql stable parallel safe
  return channels_of(current_organization(), current_livemode(), limited_member());

create function limited_teams() returns uuid[]
  language sql stable parallel safe
  return teams_of(current_organization(), limited_member());

-- Payloads of activities are given by callers too.
create function as_uuid(value text) returns uuid
  language sql immutable parallel safe
  return case when value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then value::uuid end;

-- What follows holds for frontdesk_limited alone, so the plans of all other requests stay as they were. A subquery reads
-- the member's channels once for each statement. Subqueries on tickets, messages and calls see what their policies show.
create policy within_access on tickets as restrictive to frontdesk_limited
  using (is_within(channel_id, team_id, assignee_id, (select limited_channels()), (select limited_teams()), (select limited_member())))
  with check (true);

do $$
declare
  name text;
begin
  foreach name in array array['ticket_notes', 'ticket_tags', 'ticket_assignments', 'ticket_targets', 'scheduled_messages',
    'notifications', 'reported_conversations', 'away_messages'] loop
    execute format('create policy within_access on %1$s as restrictive to frontdesk_limited
      using (exists (select from tickets t where t.id = %1$s.ticket_id)) with check (true)', name);
  end loop;
end $$;

-- A message without a ticket is one of a campaign.
create policy within_access on messages as restrictive to frontdesk_limited
  using (case when ticket_id is null then channel_id = any ((select limited_channels())::uuid[])
    else exists (select from tickets t where t.id = messages.ticket_id) end)
  with check (true);

create policy within_access on message_media as restrictive to frontdesk_limited
  using (exists (select from messages m where m.id = message_media.message_id)) with check (true);

create policy within_access on reported_messages as restrictive to frontdesk_limited
  using (channel_id = any ((select limited_channels())::uuid[])) with check (true);

-- Calls from a browser have no channel.
create policy within_access on calls as restrictive to frontdesk_limited
  using (channel_id is null or channel_id = any ((select limited_channels())::uuid[])) with check (true);

create policy within_access on call_segments as restrictive to frontdesk_limited
  using (exists (select from calls c where c.id = call_segments.call_id)) with check (true);

-- Entries of the timeline that quote a message, a note or a call. A hand-off names no ticket, only its reason.
create policy within_access on activities as restrictive to frontdesk_limited
  using ((not payload ? 'message_id' or exists (select from messages m where m.id = as_uuid(payload ->> 'message_id')))
    and (not payload ? 'inbox_id' or exists (select from tickets t where t.id = as_uuid(payload ->> 'inbox_id')))
    and (not payload ? 'call_log_id' or exists (select from calls c where c.id = as_uuid(payload ->> 'call_log_id')))
    and (type not in ('handoff_to_human', 'handoff_to_ai') or actor_id = (select limited_member())
      or exists (select from tickets t where t.contact_id = activities.contact_id)))
  with check (true);

create policy within_access on events as restrictive to frontdesk_limited
  using (case split_part(type, '.', 1)
    when 'ticket' then exists (select from tickets t where t.id = (data #>> '{object,id}')::uuid)
    when 'message' then case when data #>> '{object,inbox_id}' is null
      then (data #>> '{object,chat_phone_number_id}')::uuid = any ((select limited_channels())::uuid[])
      else exists (select from tickets t where t.id = (data #>> '{object,inbox_id}')::uuid) end
    when 'note' then exists (select from tickets t where t.id = (data #>> '{object,inbox_id}')::uuid)
    when 'scheduled_message' then exists (select from tickets t where t.id = (data #>> '{object,inbox_id}')::uuid)
    when 'call' then coalesce((data #>> '{object,chat_phone_number_id}')::uuid = any ((select limited_channels())::uuid[]),
      true)
    when 'activity' then exists (select from activities a where a.id = (data #>> '{object,id}')::uuid)
    else true end)
  with check (true);

grant create on schema public to frontdesk_system;

-- A change of a contact reaches all its tickets, also those that the member who makes it does not see.
do $$
declare
  name text;
begin
  foreach name in array array['retext_tickets', 'copy_ai_handling'] loop
    execute format('alter function %I() security definer set search_path = public, pg_temp', name);
    execute format('revoke execute on function %I() from public', name);
    execute format('alter function %I() owner to frontdesk_system', name);
  end loop;
end $$;

-- The searches see more than their caller, so they name the access themselves, as they name the organization.
create function limits_of_tickets() returns text
  language sql stable
  return case when limited_member() is null then '' else format(
    ' and is_within(t.channel_id, t.team_id, t.assignee_id, %L::uuid[], %L::uuid[], %L::uuid)',
    limited_channels(), limited_teams(), limited_member()) end;

create function limits_of_calls() returns text
  language sql stable
  return case when limited_member() is null then ''
    else format(' and (c.channel_id is null or c.channel_id = any (%L::uuid[]))', limited_channels()) end;

set role frontdesk_system;
do $$
declare
  change record;
  definition text;
begin
  for change in select * from (values
    ('search_tickets', $q$'t.organization_id = $1 and t.livemode = $2'$q$, 'limits_of_tickets()'),
    ('search_calls', $q$'c.organization_id = $1 and c.livemode = $2'$q$, 'limits_of_calls()')
  ) changes (name, condition, limits) loop
    definition := pg_get_functiondef(change.name::regproc);
    if position(change.condition in definition) = 0 then raise exception '% has another condition', change.name; end if;
    execute replace(definition, change.condition, change.condition || ' || ' || change.limits);
  end loop;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
