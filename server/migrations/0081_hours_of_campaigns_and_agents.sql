-- Lets campaigns and agents follow business hours. Generated columns hold the references, so that hours in use stay.
alter table campaigns
  add column schedule_id uuid generated always as (
    case when deleted_at is null then (sending_times ->> 'schedule_id')::uuid end) stored,
  add constraint campaigns_schedule_exists foreign key (organization_id, schedule_id) references schedules;
create index campaigns_of_schedule on campaigns (organization_id, schedule_id) where schedule_id is not null;

alter table agents
  add column schedule_id uuid generated always as ((config #>> '{business_hours,schedule_id}')::uuid) stored,
  add constraint agents_schedule_exists foreign key (organization_id, schedule_id) references schedules;
create index agents_of_schedule on agents (organization_id, schedule_id) where schedule_id is not null;

-- The first moment, from `moment` on, that is outside the quiet hours and within the schedule. If there is none within a year,
-- a day later, when the sender asks again.
create function next_sending_time(moment timestamptz, zone text, quiet_from time, quiet_until time, schedule schedules)
  returns timestamptz language plpgsql stable as $$
declare
  later timestamptz;
begin
  for attempt in 1 .. 60 loop
    later := next_open(schedule, after_quiet_hours(moment, zone, quiet_from, quiet_until));
    if later is null then return moment + interval '24 hours'; end if;
    if later = moment then return moment; end if;
    moment := later;
  end loop;
  return moment;
end $$;

-- Whether the agent answers chat messages now.
create function replies_now(agent agents) returns boolean language sql stable as $$
  select agent.is_active = 'active' and case agent.config #>> '{business_hours,replies}'
    when 'open' then is_open(s, now()) when 'closed' then not is_open(s, now()) else true end
  from (values (agent.schedule_id)) chosen (id)
    left join schedules s on s.organization_id = agent.organization_id and s.id = chosen.id
$$;

-- The channels that an agent answers now.
create or replace function answering_channels(organization uuid, is_live boolean) returns uuid[] language sql stable
  return array(
    select c.id from channels c join agents a
      on a.organization_id = c.organization_id and a.livemode = c.livemode and a.id = c.agent_id
    where c.organization_id = organization and c.livemode = is_live and c.deleted_at is null and replies_now(a));
