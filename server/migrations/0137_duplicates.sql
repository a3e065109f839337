-- Adds suggestions of contacts to merge, and the pairs that members know to be two people.
create table distinct_contacts (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  -- The lower id of the two.
  contact_id      uuid not null,
  other_id        uuid not null check (contact_id < other_id),
  decided_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, contact_id, other_id),
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade,
  foreign key (organization_id, livemode, other_id) references contacts on delete cascade
);
create index distinct_contacts_of_other on distinct_contacts (organization_id, livemode, other_id);
call protect_tenant_table('distinct_contacts');

-- Contacts have no field for an e-mail address: it is a custom field with one of these names.
create function email_of(custom_fields jsonb) returns text
  language sql immutable parallel safe
  return (select lower(trim(value)) from jsonb_each_text(custom_fields)
    where lower(key) in ('email', 'e-mail', 'e_mail', 'mail', 'email address', 'email_address') and value like '%_@_%'
    order by key limit 1);

-- Contacts that are probably the same person, with what they have in common. Each part reads at most twenty rows of an
-- index. Under row-level security the planner may not use the indexes of expressions (their functions are not leakproof),
-- so this runs as the system role and names the caller's organization itself. A single word is too little of a name.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create function likely_duplicates(contact uuid, numbers text[]) returns table (id uuid, reasons text[])
  language sql stable security definer rows 10 set search_path = public, pg_temp as $$
  select other.id, array_agg(distinct other.reason order by other.reason)
  from contacts own
    cross join lateral (
      (select c.id, 'name' as reason from contacts c
        where c.organization_id = own.organization_id and c.livemode = own.livemode and lower(c.name) = lower(own.name)
          and own.name like '%_ _%' limit 20)
      union all
      (select c.id, 'email' from contacts c
        where c.organization_id = own.organization_id and c.livemode = own.livemode
          and email_of(c.custom_fields) = email_of(own.custom_fields) limit 20)
      union all
      (select c.id, 'number' from contacts c
        where c.organization_id = own.organization_id and c.livemode = own.livemode
          and c.phone_number = any (numbers) limit 20)
      union all
      (select i.contact_id, 'identity' from contact_identities mine
        join contact_identities i on i.organization_id = mine.organization_id and i.livemode = mine.livemode
          and i.kind = mine.kind and i.value = mine.value and i.contact_id <> mine.contact_id
          and i.kind <> 'username' and i.until is null
        where mine.organization_id = own.organization_id and mine.livemode = own.livemode and mine.contact_id = own.id
        limit 20)
      union all
      (select i.contact_id, 'identity' from contact_identities mine
        join contact_identities i on i.organization_id = mine.organization_id and i.livemode = mine.livemode
          and i.kind = mine.kind and i.value = mine.value and i.contact_id <> mine.contact_id
          and i.kind <> 'username' and i.until is not null
        where mine.organization_id = own.organization_id and mine.livemode = own.livemode and mine.contact_id = own.id
        limit 20)
    ) other
  where own.organization_id = current_organization() and own.livemode = current_livemode() and own.id = contact
    and other.id <> own.id
    and not exists (select from distinct_contacts d where d.organization_id = own.organization_id
      and d.livemode = own.livemode and d.contact_id = least(own.id, other.id) and d.other_id = greatest(own.id, other.id))
  group by other.id order by count(distinct other.reason) desc, other.id limit 10
$$;
reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function likely_duplicates from public;
set role frontdesk_system;
grant execute on function likely_duplicates to frontdesk_tenant;
reset role;
