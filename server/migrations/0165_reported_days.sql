-- Adds closed conversations packed by day, so that a report reads days and not conversations. See ADR 95.
create table reported_days (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  -- On which the conversations ended, in UTC.
  day             date not null,
  -- Numbers what the conversations of a day have in common: the columns that follow.
  place           integer not null,
  channel_id      uuid,
  member_id       uuid,
  team_id         uuid,
  ticket_tags     text[] not null,
  -- Of the contacts.
  tags            text[],
  n               integer not null,
  rows            bytea not null,
  primary key (organization_id, livemode, day, place)
);
-- Times hardly compress.
alter table reported_days alter rows set storage external;
call protect_tenant_table('reported_days');
-- A day has conversations of all channels and teams. Members with limited access read the conversations themselves.
create policy within_access on reported_days as restrictive to frontdesk_limited using (false) with check (true);

-- Days whose conversations changed since they were packed, and contacts whose tags changed. Rows are only added, so no
-- transaction waits for another one. They are deleted by the job that packs the days. No reference to the organization:
-- its own deletion leaves marks.
create table stale_report_days (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  id              uuid not null default gen_random_uuid(),
  day             date,
  contact_id      uuid,
  primary key (organization_id, livemode, id),
  check (num_nonnulls(day, contact_id) = 1)
);
create index stale_report_days_by_day on stale_report_days (organization_id, livemode, day);
call protect_tenant_table('stale_report_days');

-- Today changes all the time and needs one row: its conversations are packed the day after tomorrow at the earliest, so
-- that row is not deleted while a transaction relies on it.
create function add_stale_days(organization uuid, is_live boolean, stale date) returns void
  language sql
  begin atomic
    insert into stale_report_days (organization_id, livemode, day)
    select organization, is_live, stale
    where stale < (now() at time zone 'UTC')::date or not exists (
      select from stale_report_days s
      where s.organization_id = organization and s.livemode = is_live and s.day = stale);
  end;

-- Rows are removed by cascades too, as the owner of the tables, who has no policy.
create function mark_reported_days() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform add_stale_days(organization_id, livemode, day) from (
      select distinct organization_id, livemode, (ended_at at time zone 'UTC')::date as day from added
      where ended_at is not null) d;
  elsif tg_op = 'DELETE' then
    perform add_stale_days(organization_id, livemode, day) from (
      select distinct organization_id, livemode, (ended_at at time zone 'UTC')::date as day from removed
      where ended_at is not null) d;
  else
    perform add_stale_days(organization_id, livemode, day) from (
      select distinct organization_id, livemode, (ended_at at time zone 'UTC')::date as day from (
        (select * from removed except select * from added) union all (select * from added except select * from removed)
      ) changed where ended_at is not null) d;
  end if;
  return null;
end $$;
create function mark_reported_contact() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stale_report_days (organization_id, livemode, contact_id)
  values (new.organization_id, new.livemode, new.id);
  return null;
end $$;
create trigger days_of_retagged after update of tags on contacts
  for each row when (old.tags is distinct from new.tags) execute function mark_reported_contact();
-- Contacts are locked before their conversations, as where contacts are deleted.
create trigger days_of_added after insert on reported_conversations referencing new table as added
  for each statement execute function mark_reported_days();
create trigger days_of_removed after delete on reported_conversations referencing old table as removed
  for each statement execute function mark_reported_days();
create trigger days_of_changed after update on reported_conversations
  referencing old table as removed new table as added
  for each statement execute function mark_reported_days();

grant create on schema public to frontdesk_system;
alter function mark_reported_days() owner to frontdesk_system;
alter function mark_reported_contact() owner to frontdesk_system;
revoke create on schema public from frontdesk_system;
revoke execute on function mark_reported_days(), mark_reported_contact() from public;
