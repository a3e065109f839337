-- Who of the operators did what. The organization's own log says only that an operator did it.
-- Without a foreign key: an action stays on record when the organization is deleted.
create table operator_actions (
  id                       uuid primary key default new_id(),
  operated_organization_id uuid not null,
  organization_name        text not null,
  action                   text not null,
  actor_id                 uuid,
  actor_name               text,
  object_type              text not null,
  object_id                uuid,
  object_name              text,
  previous                 jsonb,
  current                  jsonb,
  ip_address               text,
  request_id               text,
  created_at               timestamptz(3) not null default now()
);
create index operator_actions_of_organization on operator_actions (operated_organization_id, id);
grant select, insert, delete on operator_actions to frontdesk_system;

grant create on schema public to frontdesk_system;
set role frontdesk_system;

create or replace function write_audit_entry(organization uuid, is_live boolean, action text, object_type text, object_id uuid,
    object_name text, previous jsonb, current jsonb, fallback_user uuid default null) returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  origin jsonb := coalesce(nullif(current_setting('frontdesk.origin', true), ''), '{}')::jsonb;
  by_operator boolean := coalesce((origin ->> 'as_operator')::boolean, false);
  kind text := origin ->> 'actor_type';
  actor uuid := (origin ->> 'actor_id')::uuid;
  name_of_actor text;
begin
  -- The request of a person who is only just signing in.
  if kind is null and origin ? 'ip_address' and fallback_user is not null then
    kind := 'user';
    actor := fallback_user;
  end if;
  name_of_actor := case kind
    when 'user' then (select coalesce(nullif(u.name, ''), u.email) from users u where u.id = actor)
    when 'key' then (select k.name from keys k where k.organization_id = organization and k.id = actor) end;
  if by_operator then
    insert into operator_actions (operated_organization_id, organization_name, action, actor_id, actor_name, object_type,
      object_id, object_name, previous, current, ip_address, request_id)
    select o.id, o.name, action, actor, name_of_actor, object_type, object_id, object_name, previous, current,
      origin ->> 'ip_address', origin ->> 'request_id'
    from organizations o where o.id = organization;
    kind := 'system';
    actor := null;
    name_of_actor := 'Operator of this installation';
  end if;
  insert into audit_entries (organization_id, mode, action, actor_type, actor_id, actor_name, object_type, object_id,
    object_name, previous, current, ip_address, request_id)
  -- Not when the organization itself is being deleted.
  select o.id, case when is_live then 'live' when not is_live then 'test' end, action, coalesce(kind, 'system'), actor,
    name_of_actor, object_type, object_id, object_name, previous, current,
    case when not by_operator then origin ->> 'ip_address' end, origin ->> 'request_id'
  from organizations o where o.id = organization;
end $$;

reset role;
revoke create on schema public from frontdesk_system;
