-- Keeps how long WhatsApp tries to deliver messages of a template, and deletes files for headers with what used them.
-- Seconds; -1 for 30 days, null for the platform's default.
alter table templates add column message_send_ttl_seconds integer;

-- The sample that a template names in its header, by the platform's handle; null for files that are only sent.
alter table template_media add column handle text;
delete from template_media where organization_id not in (select id from organizations);
alter table template_media add foreign key (organization_id) references organizations on delete cascade;

-- Whether a campaign that is not over sends the file.
create function is_media_awaited(organization uuid, mode boolean, media uuid) returns boolean language sql stable
  return exists (
    select from campaigns k, jsonb_each_text(k.template_variables) given
    where k.organization_id = organization and k.livemode = mode and k.deleted_at is null
      and k.status in ('scheduled', 'sending', 'paused') and given.value = media::text);

-- Whether a template names the file as a sample.
create function is_media_sample(organization uuid, mode boolean, handle text) returns boolean language sql stable
  return exists (
    select from templates t
    where t.organization_id = organization and t.livemode = mode and strpos(t.components::text, handle) > 0);

-- However a template is deleted: by a member, or because the platform no longer has it.
create function remove_samples() returns trigger language plpgsql as $$
begin
  delete from template_media m
  where m.organization_id = old.organization_id and m.livemode = old.livemode and strpos(old.components::text, m.handle) > 0
    and not is_media_sample(m.organization_id, m.livemode, m.handle)
    and not is_media_awaited(m.organization_id, m.livemode, m.id);
  return null;
end $$;
create trigger remove_samples after delete on templates for each row execute function remove_samples();
