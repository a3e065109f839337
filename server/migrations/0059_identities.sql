-- Identities of contacts: numbers, chat accounts and usernames in one table, with their history. `contacts` keeps the
-- primary ones in its columns; triggers copy them here, so that no use case can forget it.
alter table contacts
  add column username text,
  -- Current numbers besides `phone_number`, for the search.
  add column other_numbers text not null default '';

create or replace function write_contact_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := fold_text(new.name) || ' ' || new.phone_number
    || case when new.other_numbers = '' then '' else ' ' || new.other_numbers end
    || coalesce(' ' || fold_text(new.username), '');
  return new;
end $$;
drop trigger write_search_text on contacts;
create trigger write_search_text before insert or update of name, phone_number, other_numbers, username on contacts
  for each row execute function write_contact_search_text();
alter table contacts enable always trigger write_search_text;

create table contact_identities (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  contact_id      uuid not null,
  kind            text not null check (kind in ('phone', 'whatsapp_user_id', 'username')),
  value           text not null,
  -- The one that messages are sent to.
  is_primary      boolean not null default false,
  since           timestamptz(3) not null default now(),
  -- Null while it is the contact's.
  until           timestamptz(3),
  primary key (organization_id, livemode, contact_id, kind, value),
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade
) with (fillfactor = 90);
-- A number or an account is one contact's at a time. Usernames are only shown: another person may take one that is given up.
create unique index contact_identities_are_unique on contact_identities (organization_id, livemode, kind, value)
  where until is null and kind <> 'username';
create index contact_identities_former on contact_identities (organization_id, livemode, kind, value)
  where until is not null and kind <> 'username';
call protect_tenant_table('contact_identities');

create function record_identities() returns trigger language plpgsql as $$
begin
  insert into contact_identities (organization_id, livemode, contact_id, kind, value, is_primary, since)
  select organization_id, livemode, id, kind, value, true, created_at
  from changed cross join lateral (values ('phone', nullif(phone_number, '')), ('whatsapp_user_id', whatsapp_user_id),
    ('username', username)) own (kind, value)
  where value is not null order by organization_id, livemode, kind, value;
  return null;
end $$;
create trigger record_identities after insert on contacts referencing new table as changed
  for each statement execute function record_identities();

-- A new value replaces the old one. One that the contact has already becomes the primary one, and the old one stays.
create function change_identities() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select kind, before, after from (values ('phone', nullif(old.phone_number, ''), nullif(new.phone_number, '')),
      ('whatsapp_user_id', old.whatsapp_user_id, new.whatsapp_user_id), ('username', old.username, new.username)
    ) each (kind, before, after) where before is distinct from after
  loop
    update contact_identities i set is_primary = false, until = case when not exists (
      select from contact_identities other where other.organization_id = new.organization_id
        and other.livemode = new.livemode and other.contact_id = new.id and other.kind = change.kind
        and other.value = change.after and other.until is null) then now() end
    where i.organization_id = new.organization_id and i.livemode = new.livemode and i.contact_id = new.id
      and i.kind = change.kind and i.value = change.before;
    if change.after is not null then
      insert into contact_identities (organization_id, livemode, contact_id, kind, value, is_primary)
      values (new.organization_id, new.livemode, new.id, change.kind, change.after, true)
      on conflict (organization_id, livemode, contact_id, kind, value) do update set is_primary = true, until = null;
    end if;
  end loop;
  return null;
end $$;
create trigger change_identities after update on contacts for each row
  when (old.phone_number <> new.phone_number or old.whatsapp_user_id is distinct from new.whatsapp_user_id
    or old.username is distinct from new.username)
  execute function change_identities();

create function list_other_numbers() returns trigger language plpgsql as $$
begin
  update contacts set other_numbers = listed.numbers from (
    select coalesce(string_agg(value, ' ' order by value), '') as numbers from contact_identities
    where organization_id = new.organization_id and livemode = new.livemode and contact_id = new.contact_id
      and kind = 'phone' and until is null and not is_primary) listed
  where organization_id = new.organization_id and livemode = new.livemode and id = new.contact_id
    and other_numbers <> listed.numbers;
  return null;
end $$;
create trigger list_added_number after insert on contact_identities for each row
  when (new.kind = 'phone' and not new.is_primary) execute function list_other_numbers();
create trigger list_changed_number after update on contact_identities for each row
  when (new.kind = 'phone' and not (old.is_primary and new.is_primary)) execute function list_other_numbers();

-- Contacts that were merged into another one: their ids answer with its id.
create table merged_contacts (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  merged_into     uuid not null,
  merged_at       timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, merged_into) references contacts on delete cascade
);
create index merged_contacts_of_contact on merged_contacts (organization_id, livemode, merged_into);
call protect_tenant_table('merged_contacts');

-- The delivery of the same campaign that its recipient has since two contacts were merged.
alter table deliveries add column duplicate_of uuid;

-- A change of a number or account can arrive before the one that it follows.
alter table early_updates drop constraint early_updates_kind_check,
  add constraint early_updates_kind_check check (kind in ('status', 'reaction', 'edit', 'identity'));

create or replace function analyze_grown_tables() returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  watched regclass[] := array['public.deliveries', 'public.messages', 'public.activities', 'public.contacts',
    'public.contact_identities', 'public.webhook_deliveries', 'public.events'];
  grown regclass;
begin
  if not pg_try_advisory_xact_lock(7236114022) then return; end if;
  for grown in
    select oid::regclass from pg_class
    where relkind = 'r' and (oid = any (watched) or oid in (select inhrelid from pg_inherits where inhparent = any (watched)))
      and (pg_relation_size(oid) / current_setting('block_size')::integer > 4 * relpages + 64
        or reltuples = 0 and pg_stat_get_mod_since_analyze(oid) > 0)
  loop
    execute format('analyze %s', grown);
  end loop;
end $$;
