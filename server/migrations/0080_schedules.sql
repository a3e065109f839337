-- Adds business hours: schedules in a time zone, and the arithmetic over them.
create table schedules (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  name            text not null,
  time_zone       text not null,
  -- {monday: [{from, until}], …}. An `until` that is earlier than `from` is on the next day.
  weekly_hours    jsonb not null,
  -- [{date, name, hours: [{from, until}]}]: the hours of that day, in place of those of the weekday.
  holidays        jsonb not null default '[]',
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index schedules_name_is_unique on schedules (organization_id, lower(name));
call protect_tenant_table('schedules');
create trigger audited after insert or delete or update of name, time_zone, weekly_hours, holidays on schedules
  for each row execute function audit_change('schedule', 'name time_zone weekly_hours holidays', 'name');

-- The first moment at which clocks of the zone have reached a local time. A time that a change of the clocks leaves out is
-- the moment of the change; of a time that comes twice, it is the first.
create function first_moment(local timestamp, zone text) returns timestamptz language plpgsql stable as $$
declare
  -- PostgreSQL reads a time that is left out by the offset before the change, and one that comes twice by the one after it.
  guess    timestamptz := local at time zone zone;
  shown    timestamp := guess at time zone zone;
  day_ago  timestamptz := guess - interval '24 hours';
  earlier  timestamptz := (local - ((day_ago at time zone zone) - (day_ago at time zone 'UTC'))) at time zone 'UTC';
begin
  if shown = local then
    return case when earlier < guess and earlier at time zone zone = local then earlier else guess end;
  end if;
  -- Clocks change at whole minutes.
  return (select min(moment) from generate_series(guess - (shown - local), guess, interval '1 minute') moment
    where moment at time zone zone >= local);
end $$;

-- The spans that begin on this day of the schedule's zone. A span that a change of the clocks leaves out is empty.
create function spans_of_day(schedule schedules, day date)
  returns table (opens_at timestamptz, closes_at timestamptz) language sql stable as $$
  select first_moment(day + span."from", schedule.time_zone),
    first_moment(day + span.until + case when span.until <= span."from" then interval '1 day' else interval '0' end,
      schedule.time_zone)
  from jsonb_to_recordset(coalesce(
    (select holiday -> 'hours' from jsonb_array_elements(schedule.holidays) holiday
      where holiday ->> 'date' = to_char(day, 'YYYY-MM-DD') limit 1),
    schedule.weekly_hours -> (array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])[
      extract(isodow from day)::integer],
    '[]')) span ("from" time, until time)
$$;

-- Without a schedule it is always open: callers join schedules from the left.
create function is_open(schedule schedules, moment timestamptz) returns boolean language sql stable as $$
  select schedule.id is null or exists (
    select from generate_series(0, 1) back,
      spans_of_day(schedule, (moment at time zone schedule.time_zone)::date - back) span
    where span.opens_at <= moment and span.closes_at > moment)
$$;

-- The moment itself while it is open, else when it opens next. Null if it does not open within a year.
create function next_open(schedule schedules, moment timestamptz) returns timestamptz language plpgsql stable as $$
declare
  today date := (moment at time zone schedule.time_zone)::date;
  opening timestamptz;
begin
  if schedule.id is null then return moment; end if;
  for days in -1 .. 366 loop
    select min(greatest(opens_at, moment)) into opening from spans_of_day(schedule, today + days)
    where closes_at > moment and closes_at > opens_at;
    if opening is not null then return opening; end if;
  end loop;
  return null;
end $$;

-- When it closes, over spans that touch each other. Null while it is closed, or if it stays open for a week.
create function open_until(schedule schedules, moment timestamptz) returns timestamptz language plpgsql stable as $$
declare
  closing timestamptz := moment;
  later timestamptz;
begin
  loop
    select max(closes_at) into later from generate_series(-1, 0) days,
      spans_of_day(schedule, (closing at time zone schedule.time_zone)::date + days)
    where opens_at <= closing and closes_at > closing;
    if later is null then return nullif(closing, moment); end if;
    if later > moment + interval '168 hours' then return null; end if;
    closing := later;
  end loop;
end $$;

-- When so many minutes in which it is open have passed. Null if that takes more than a year.
create function add_open_minutes(schedule schedules, moment timestamptz, minutes integer) returns timestamptz
  language plpgsql stable as $$
declare
  today date := (moment at time zone schedule.time_zone)::date;
  reached timestamptz := moment;
  seconds_left double precision := minutes * 60;
  seconds_open double precision;
  span record;
begin
  if schedule.id is null then return moment + make_interval(secs => seconds_left); end if;
  for days in -1 .. 366 loop
    for span in select * from spans_of_day(schedule, today + days) where closes_at > moment order by opens_at loop
      reached := greatest(reached, span.opens_at);
      seconds_open := extract(epoch from span.closes_at - reached);
      continue when seconds_open <= 0;
      if seconds_open >= seconds_left then return reached + make_interval(secs => seconds_left); end if;
      seconds_left := seconds_left - seconds_open;
      reached := span.closes_at;
    end loop;
  end loop;
  return null;
end $$;
