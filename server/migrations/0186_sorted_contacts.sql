-- Adds sorted pages of contacts that read nothing before their cursor, and who answers a contact for members with limited access.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
-- A page of contacts by name or by their last activity, in one direction, behind a contact. Its indexes are contacts_by_name and contacts_by_activity.
create function sort_contacts(sorted_by text, is_down boolean, behind uuid, filters jsonb, page_size integer)
  returns table (id uuid, place bigint)
  language plpgsql stable security definer rows 50 set search_path = public, pg_temp as $$
declare
  key text := case sorted_by when 'name' then 'lower(c.name)'
    else 'coalesce(c.last_activity_at, ''-infinity''::timestamptz)' end;
  own_rows text := 'c.organization_id = $1 and c.livemode = $2';
  condition text := own_rows;
  sorting text := key || case when is_down then ' desc, c.id desc' else ', c.id' end;
begin
  if behind is not null then
    condition := condition || ' and (' || key || ', c.id) ' || case when is_down then '<' else '>' end
      || ' ((select ' || key || ' from contacts c where ' || own_rows || ' and c.id = $4), $4)';
  end if;
  if filters ? 'stage' then condition := condition || ' and c.stage = ($3 ->> ''stage'')'; end if;
  if filters ? 'ai_handling' then condition := condition || ' and c.ai_handling = ($3 ->> ''ai_handling'')::boolean'; end if;
  if filters ? 'attended' then condition := condition || ' and (c.id in (select unattended_contacts())) <> ($3 ->> ''attended'')::boolean'; end if;
  if filters ? 'opted_out' then condition := condition || ' and (c.opted_out_at is not null) = ($3 ->> ''opted_out'')::boolean'; end if;
  if filters ? 'source_type' then condition := condition || ' and c.source_type = ($3 ->> ''source_type'')'; end if;
  if filters ? 'source_id' then condition := condition || ' and c.source_id = ($3 ->> ''source_id'')'; end if;
  if filters ? 'tag' then
    condition := condition || ' and exists (select from contact_tags t where t.organization_id = $1 and t.livemode = $2'
      || ' and t.tag = ($3 ->> ''tag'') and t.contact_id = c.id)';
  end if;
  return query execute 'select c.id, row_number() over (order by ' || sorting || ') from contacts c where ' || condition
      || ' order by ' || sorting || ' limit $5'
    using current_organization(), current_livemode(), filters, behind, page_size;
end $$;

-- As unattended_contacts, for one contact: it reads the tickets of that contact alone.
create function is_unattended(contact uuid, answering uuid[]) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from tickets t
    where t.organization_id = current_organization() and t.livemode = current_livemode() and t.contact_id = contact
      and t.status = 'open' and t.ai_handling and coalesce(t.channel_id <> all (answering), true))
$$;
reset role;
revoke create on schema public from frontdesk_system;
