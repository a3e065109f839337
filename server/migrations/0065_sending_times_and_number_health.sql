-- Adds sending times of campaigns in the recipients' time zones, and the health of WhatsApp numbers.
alter table contacts add column time_zone text;
alter table organizations add column time_zone text not null default 'UTC';
grant update (time_zone) on organizations to frontdesk_tenant;
create trigger audited_time_zone after update of time_zone on organizations
  for each row execute function audit_change('organization', 'time_zone', 'name');
-- {local_time, quiet_hours: {from, until}}, each may be null. Null as a whole: sent at once.
alter table campaigns add column sending_times jsonb;
-- The recipient's zone, and the time before which nothing is sent; null for campaigns without sending times.
alter table deliveries add column time_zone text, add column due_at timestamptz(3);

-- The zone, or null if this server does not know it.
create function known_time_zone(zone text) returns text language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return null;
end $$;

-- The first moment, from `moment` on, at which clocks of the zone show `at`. A time that a change of the clocks leaves out
-- comes an hour later.
create function next_local_time(moment timestamptz, zone text, at time) returns timestamptz language sql stable
  return (select case when today >= moment then today else (day + 1 + at) at time zone zone end
    from (select (moment at time zone zone)::date) d (day), lateral (select (day + at) at time zone zone) t (today));

-- The moment itself, or the end of the quiet hours that it falls in.
create function after_quiet_hours(moment timestamptz, zone text, quiet_from time, quiet_until time) returns timestamptz
  language sql stable
  return (select case
      when quiet_from < quiet_until and clock >= quiet_from and clock < quiet_until
        or quiet_from > quiet_until and (clock >= quiet_from or clock < quiet_until)
      then next_local_time(moment, zone, quiet_until) else moment end
    from (select (moment at time zone zone)::time) c (clock));

-- What the platform says about the number and its business account; null until it said something.
alter table channels add column health jsonb;
