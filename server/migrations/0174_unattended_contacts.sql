-- Adds the contacts in conversations that the AI should answer and no agent answers, for the filter handled_by of contacts.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
-- It sees all conversations, also those that a member with limited access does not: the contact waits all the same.
create function unattended_contacts() returns setof uuid
  language sql stable security definer rows 100 set search_path = public, pg_temp as $$
  select t.contact_id from tickets t
  where t.organization_id = current_organization() and t.livemode = current_livemode()
    and t.status = 'open' and t.ai_handling
    and coalesce(t.channel_id <> all ((select answering_channels(current_organization(), current_livemode()))::uuid[]), true)
$$;
do $$
declare
  before text := $q$  if filters ? 'opted_out' then$q$;
  definition text := pg_get_functiondef('search_contacts'::regproc);
begin
  if position(before in definition) = 0 then raise exception 'search_contacts has another definition'; end if;
  execute replace(definition, before,
    $q$  if filters ? 'attended' then condition := condition || ' and (c.id in (select unattended_contacts())) <> ($3 ->> ''attended'')::boolean'; end if;$q$
      || E'\n' || before);
end $$;
reset role;
revoke create on schema public from frontdesk_system;
