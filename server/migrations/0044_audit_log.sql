-- Who changed what: triggers write an entry in the transaction of the change, so that neither exists without the other.
-- The request says who is acting in `frontdesk.origin`, local to its transaction, as it says whose rows it may see.
create table audit_entries (
  organization_id uuid not null references organizations on delete cascade,
  id              uuid not null default new_id(),
  -- Null for what concerns both modes, such as members.
  mode            text check (mode in ('test', 'live')),
  action          text not null,
  actor_type      text not null check (actor_type in ('user', 'key', 'system')),
  actor_id        uuid,
  -- Names are copied: they stay readable when the actor or the object is gone.
  actor_name      text,
  object_type     text not null,
  object_id       uuid,
  object_name     text,
  previous        jsonb,
  current         jsonb,
  ip_address      text,
  request_id      text,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index audit_entries_of_object on audit_entries (organization_id, object_id, id);
create index audit_entries_of_actor on audit_entries (organization_id, actor_id, id);

-- Append-only by permission: no role may change an entry, and none may delete one that is younger than 30 days.
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy own_rows on audit_entries to frontdesk_tenant
  using (organization_id = current_organization()) with check (organization_id = current_organization());
create policy every_row on audit_entries for select to frontdesk_system using (true);
create policy any_entry on audit_entries for insert to frontdesk_system with check (true);
create policy old_entries on audit_entries for delete to frontdesk_system using (created_at < now() - interval '30 days');
grant select on audit_entries to frontdesk_tenant;
grant select, insert, delete on audit_entries to frontdesk_system;

grant create on schema public to frontdesk_system;
set role frontdesk_system;

-- Writes one entry. Without an actor it was the service itself, or an operator at the command line.
create function write_audit_entry(organization uuid, is_live boolean, action text, object_type text, object_id uuid,
    object_name text, previous jsonb, current jsonb, fallback_user uuid default null) returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  origin jsonb := coalesce(nullif(current_setting('frontdesk.origin', true), ''), '{}')::jsonb;
  kind text := origin ->> 'actor_type';
  actor uuid := (origin ->> 'actor_id')::uuid;
begin
  -- The request of a person who is only just signing in.
  if kind is null and origin ? 'ip_address' and fallback_user is not null then
    kind := 'user';
    actor := fallback_user;
  end if;
  insert into audit_entries (organization_id, mode, action, actor_type, actor_id, actor_name, object_type, object_id,
    object_name, previous, current, ip_address, request_id)
  -- Not when the organization itself is being deleted.
  select o.id, case when is_live then 'live' when not is_live then 'test' end, action, coalesce(kind, 'system'), actor,
    case kind
      when 'user' then (select coalesce(nullif(u.name, ''), u.email) from users u where u.id = actor)
      when 'key' then (select k.name from keys k where k.organization_id = o.id and k.id = actor) end,
    object_type, object_id, object_name, previous, current, origin ->> 'ip_address', origin ->> 'request_id'
  from organizations o where o.id = organization;
end $$;

-- The columns of a row that an entry may show. Of a sealed column it shows only that it changed.
create function audited_values(values_of_row jsonb, shown text[], differing_from jsonb default null) returns jsonb
  language sql immutable parallel safe
  return (
    select jsonb_object_agg(key, case when key like 'sealed\_%' then '"[hidden]"' else value end)
    from jsonb_each(values_of_row)
    where key = any (shown) and (differing_from is null or value is distinct from differing_from -> key));

-- Arguments: the type of the object, the columns that an entry may show, and the column of its name, if it has one.
create function audit_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  shown text[] := string_to_array(tg_argv[1], ' ');
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  given jsonb := coalesce(new_row, old_row);
  verb text := case tg_op when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'updated' end;
  previous jsonb;
  current jsonb;
begin
  if tg_op = 'UPDATE' then
    -- Replacing the secret key seals every secret again, which changes no setting.
    if nullif(current_setting('frontdesk.origin', true), '') is null then
      shown := array(select name from unnest(shown) name where name not like 'sealed\_%');
    end if;
    if old_row ->> 'deleted_at' is null and new_row ->> 'deleted_at' is not null then
      verb := 'deleted';
      new_row := null;
    end if;
  end if;
  previous := audited_values(old_row, shown, new_row);
  current := audited_values(new_row, shown, old_row);
  if verb = 'updated' and current is null then return null; end if;
  perform write_audit_entry(
    coalesce(given ->> 'organization_id', given ->> 'id')::uuid, (given ->> 'livemode')::boolean,
    tg_argv[0] || '.' || verb, tg_argv[0], coalesce(given ->> 'id', given ->> 'user_id')::uuid,
    case when tg_nargs > 2 then given ->> tg_argv[2] when tg_argv[0] = 'member' then
      (select u.email from users u where u.id = (given ->> 'user_id')::uuid) end,
    previous, current, (given ->> 'user_id')::uuid);
  return null;
end $$;

-- Signing in and out concerns every organization of the person.
create function audit_session() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_audit_entry(m.organization_id, null, case tg_op when 'INSERT' then 'session.created' else 'session.ended' end,
    'session', new.id, null, null,
    jsonb_build_object('signed_in_by', new.signed_in_by, 'user_agent', new.user_agent), new.user_id)
  from members m where m.user_id = new.user_id;
  return null;
end $$;

-- For what leaves no changed row behind, such as an export: an entry of the caller's own organization and mode.
create function audit_action(action text, object_type text, object_id uuid, details jsonb) returns void
  language sql volatile security definer set search_path = public, pg_temp
  return write_audit_entry(current_organization(), current_livemode(), action, object_type, object_id, null, null, details);

reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function write_audit_entry, audited_values, audit_change, audit_session, audit_action from public;
grant execute on function audit_action to frontdesk_tenant, frontdesk_system;

create trigger audited after update of name on organizations
  for each row execute function audit_change('organization', 'name', 'name');
create trigger audited after insert or delete or update of name, scopes, expires_at, revoked_at on keys
  for each row execute function audit_change('key', 'name mode scopes prefix last_four expires_at revoked_at', 'name');
create trigger audited after insert or delete or update of role on members
  for each row execute function audit_change('member', 'role');
create trigger audited after insert or delete or update of role, accepted_at on invitations
  for each row execute function audit_change('invitation', 'email role expires_at accepted_at', 'email');
create trigger audited after insert or delete or update on channels
  for each row execute function audit_change('channel',
    'phone_number display_name agent_id messages_per_second chat sealed_chat voice sealed_voice', 'display_name');
create trigger audited after insert or delete or update of url, events, description, status, sealed_secrets, deleted_at
  on webhooks for each row execute function audit_change('webhook', 'url events description status sealed_secrets', 'url');
create trigger audited after insert or delete or update on agents
  for each row execute function audit_change('agent',
    'name agent_type is_active timezone config sealed_headers version', 'name');
create trigger audited after insert or delete on templates
  for each row execute function audit_change('template', 'name language category', 'name');
create trigger audited after delete on documents
  for each row execute function audit_change('document', 'file_name', 'file_name');
create trigger audited after update of deleted_at on campaigns
  for each row execute function audit_change('campaign', 'name', 'name');
-- Without a name and a number: what is erased must not live on in the log.
create trigger audited after delete on contacts for each row execute function audit_change('contact', '');
create trigger audited after delete on calls for each row execute function audit_change('call', '');
create trigger audited after insert on sessions for each row execute function audit_session();
create trigger audited_end after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function audit_session();
