-- Dates identities by WhatsApp's time of the fact that revealed them, so that a late fact does not replace a newer one.
-- The time of the fact that the last update came from, for the triggers; null if a member or an import wrote it.
alter table contacts add column identified_at timestamptz(3);

create or replace function record_identities() returns trigger language plpgsql as $$
begin
  insert into contact_identities (organization_id, livemode, contact_id, kind, value, is_primary, since)
  select organization_id, livemode, id, kind, value, true, least(identified_at, created_at)
  from changed cross join lateral (values ('phone', nullif(phone_number, '')), ('whatsapp_user_id', whatsapp_user_id),
    ('username', username)) own (kind, value)
  where value is not null order by organization_id, livemode, kind, value;
  return null;
end $$;

create or replace function change_identities() returns trigger language plpgsql as $$
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
        and other.value = change.after and other.until is null) then greatest(i.since, least(new.identified_at, now())) end
    where i.organization_id = new.organization_id and i.livemode = new.livemode and i.contact_id = new.id
      and i.kind = change.kind and i.value = change.before;
    if change.after is not null then
      insert into contact_identities (organization_id, livemode, contact_id, kind, value, is_primary, since)
      values (new.organization_id, new.livemode, new.id, change.kind, change.after, true, least(new.identified_at, now()))
      on conflict (organization_id, livemode, contact_id, kind, value) do update set is_primary = true, until = null,
        since = case when contact_identities.until is null then contact_identities.since else excluded.since end;
    end if;
  end loop;
  return null;
end $$;
