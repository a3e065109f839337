-- Contacts with their tags, timeline and counters, and imports of contacts.
create table contacts (
  organization_id  uuid not null default current_organization() references organizations on delete cascade,
  livemode         boolean not null default current_livemode(),
  id               uuid not null,
  -- Empty for people who are known by their chat account only.
  phone_number     text not null default '',
  whatsapp_user_id text,
  name             text not null default '',
  tags             text[] not null default '{}',
  notes            text not null default '',
  custom_fields    jsonb not null default '{}',
  stage            text not null default 'new' check (stage in ('new', 'engaged', 'qualified', 'customer', 'lost')),
  ai_handling      boolean not null default true,
  opted_out_at     timestamptz(3),
  last_activity_at timestamptz(3),
  -- Activities of each type, kept by whoever writes activities, so that a timeline knows its total without counting.
  activity_counts  jsonb not null default '{}',
  search_text      text not null generated always as (lower(name) || ' ' || phone_number) stored,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  -- Carries the searched text and the filters, so that a search for something common reads the index alone.
  primary key (organization_id, livemode, id) include (search_text, stage, ai_handling, opted_out_at)
) with (fillfactor = 90);
create unique index contacts_phone_is_unique on contacts (organization_id, livemode, phone_number)
  where phone_number <> '';
create unique index contacts_whatsapp_user_is_unique on contacts (organization_id, livemode, whatsapp_user_id)
  where whatsapp_user_id is not null;
create index contacts_by_stage on contacts (organization_id, livemode, stage, id desc);
create index contacts_by_handling on contacts (organization_id, livemode, ai_handling, id desc);
create index contacts_opted_out on contacts (organization_id, livemode, id desc) where opted_out_at is not null;
create index contacts_by_text on contacts using gin (organization_id, search_text gin_trgm_ops);
call protect_tenant_table('contacts');

create table contact_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  stage           text not null,
  ai_handling     boolean not null,
  opted_out       boolean not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, stage, ai_handling, opted_out, shard)
) with (fillfactor = 50);
call protect_tenant_table('contact_counts');

-- Tags again, one row each: an array's own index cannot be used under row-level security, nor read in id order.
create table contact_tags (
  organization_id uuid not null,
  livemode        boolean not null,
  tag             text not null,
  contact_id      uuid not null,
  primary key (organization_id, livemode, tag, contact_id),
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade
);
create index contact_tags_of_contact on contact_tags (organization_id, livemode, contact_id);
call protect_tenant_table('contact_tags');

create table contact_tag_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  tag             text not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, tag, shard)
) with (fillfactor = 50);
call protect_tenant_table('contact_tag_counts');

create procedure add_contact_count(
  organization_id uuid, livemode boolean, stage text, ai_handling boolean, opted_out boolean, delta bigint
) language sql begin atomic
  insert into contact_counts as c (organization_id, livemode, stage, ai_handling, opted_out, shard, n)
  values ($1, $2, $3, $4, $5, counter_shard(), $6)
  on conflict (organization_id, livemode, stage, ai_handling, opted_out, shard) do update set n = c.n + excluded.n;
end;

create function count_contacts() returns trigger language plpgsql as $$
begin
  insert into contact_counts as c (organization_id, livemode, stage, ai_handling, opted_out, shard, n)
  select organization_id, livemode, stage, ai_handling, opted_out_at is not null, counter_shard(),
    case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (organization_id, livemode, stage, ai_handling, opted_out, shard) do update set n = c.n + excluded.n;
  if tg_op = 'INSERT' and exists (select from changed where tags <> '{}') then
    insert into contact_tags (organization_id, livemode, tag, contact_id)
    select distinct organization_id, livemode, tag, id from changed, unnest(tags) tag;
  end if;
  return null;
end $$;
create trigger count_added after insert on contacts referencing new table as changed
  for each statement execute function count_contacts();
create trigger count_removed after delete on contacts referencing old table as changed
  for each statement execute function count_contacts();

create function recount_contact() returns trigger language plpgsql as $$
begin
  call add_contact_count(
    old.organization_id, old.livemode, old.stage, old.ai_handling, old.opted_out_at is not null, -1);
  call add_contact_count(
    new.organization_id, new.livemode, new.stage, new.ai_handling, new.opted_out_at is not null, 1);
  return null;
end $$;
create trigger recount after update on contacts for each row
  when (old.stage <> new.stage or old.ai_handling <> new.ai_handling
    or (old.opted_out_at is null) <> (new.opted_out_at is null))
  execute function recount_contact();

create function retag_contact() returns trigger language plpgsql as $$
begin
  delete from contact_tags
  where organization_id = new.organization_id and livemode = new.livemode and contact_id = new.id
    and tag <> all (new.tags);
  insert into contact_tags (organization_id, livemode, tag, contact_id)
  select distinct new.organization_id, new.livemode, tag, new.id from unnest(new.tags) tag
  on conflict do nothing;
  return null;
end $$;
create trigger retag after update on contacts for each row
  when (old.tags <> new.tags) execute function retag_contact();

create function count_contact_tags() returns trigger language plpgsql as $$
begin
  insert into contact_tag_counts as c (organization_id, livemode, tag, shard, n)
  select organization_id, livemode, tag, counter_shard(),
    case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2, 3 order by 1, 2, 3
  on conflict (organization_id, livemode, tag, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on contact_tags referencing new table as changed
  for each statement execute function count_contact_tags();
create trigger count_removed after delete on contact_tags referencing old table as changed
  for each statement execute function count_contact_tags();

create table activities (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  contact_id      uuid not null,
  type            text not null,
  actor_type      text not null check (actor_type in ('user', 'ai', 'system')),
  actor_id        uuid,
  payload         jsonb not null default '{}',
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade
);
create index activities_of_contact on activities (organization_id, livemode, contact_id, id desc);
create index activities_of_contact_by_type on activities (organization_id, livemode, contact_id, type, id desc);
call protect_tenant_table('activities');

create table contact_imports (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  state           text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  file_name       text not null default '',
  encoding        text not null check (encoding in ('utf-8', 'utf-16le', 'utf-16be', 'windows-1252')),
  dry_run         boolean not null,
  on_conflict     text not null check (on_conflict in ('skip', 'update')),
  error           text,
  -- Rows of the file that are done with: a worker that takes over goes on behind them.
  rows            integer not null default 0,
  created         integer not null default 0,
  updated         integer not null default 0,
  skipped         integer not null default 0,
  invalid         integer not null default 0,
  -- Starts since the last progress: a file that ends its worker each time must not do so for ever.
  attempts        integer not null default 0,
  read_bytes      bigint not null default 0,
  total_bytes     bigint not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  completed_at    timestamptz(3),
  primary key (organization_id, livemode, id)
);
call protect_tenant_table('contact_imports');

-- The uploaded file, kept where every worker can reach it, until the import has ended. The chunks come before their
-- import: it is only written once the whole file is here, and what never got that far is swept away.
create table contact_import_chunks (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  import_id       uuid not null,
  number          integer not null,
  bytes           bytea not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, import_id, number)
);
alter table contact_import_chunks alter column bytes set storage external;
call protect_tenant_table('contact_import_chunks');

-- The numbers that a dry run has met so far: it writes no contact that could tell a repeated one.
create table contact_import_phones (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  import_id       uuid not null,
  phone_number    text not null,
  primary key (organization_id, livemode, import_id, phone_number),
  foreign key (organization_id, livemode, import_id) references contact_imports on delete cascade
);
call protect_tenant_table('contact_import_phones');

create table contact_import_errors (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  import_id       uuid not null,
  row             integer not null,
  column_name     text not null default '',
  message         text not null,
  primary key (organization_id, livemode, import_id, row),
  foreign key (organization_id, livemode, import_id) references contact_imports on delete cascade
);
call protect_tenant_table('contact_import_errors');

-- Substring search. Under row-level security the planner may not use a trigram index (its operators are not
-- leakproof), so this one query runs as the system role and names the caller's organization itself. Temporary tables,
-- which anybody may make, come last in its path: first is where PostgreSQL would look for them otherwise.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create function search_contacts(patterns text[], filters jsonb, before uuid, page_size integer)
  returns table (id uuid, total bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  -- One `like` each: the trigram index knows no `like any`.
  matching text := (select string_agg(format('c.search_text like %L', pattern), ' or ') from unnest(patterns) pattern);
  own_rows text := 'c.organization_id = $1 and c.livemode = $2';
  condition text := own_rows || ' and (' || matching || ')';
  common boolean;
  matches bigint;
  has_page boolean := false;
begin
  if filters ? 'stage' then condition := condition || ' and c.stage = ($3 ->> ''stage'')'; end if;
  if filters ? 'ai_handling' then condition := condition || ' and c.ai_handling = ($3 ->> ''ai_handling'')::boolean'; end if;
  if filters ? 'opted_out' then condition := condition || ' and (c.opted_out_at is not null) = ($3 ->> ''opted_out'')::boolean'; end if;
  if filters ? 'tag' then
    condition := condition || ' and exists (select from contact_tags t where t.organization_id = $1 and t.livemode = $2'
      || ' and t.tag = ($3 ->> ''tag'') and t.contact_id = c.id)';
  end if;
  -- The planner has no statistics to tell rare from common here, so a look at the newest contacts does. What is common,
  -- or too short to have a trigram, is quicker found by walking the primary key, which carries the text.
  execute 'select count(*) filter (where ' || matching || ') > 50 from (select c.search_text from contacts c where '
    || own_rows || ' order by c.id desc limit 1000) c' into common using current_organization(), current_livemode();
  common := common or exists (select from unnest(patterns) pattern where length(pattern) < 5);
  perform set_config('enable_bitmapscan', case when common then 'off' else 'on' end, true);
  execute 'select count(*) from contacts c where ' || condition into matches
    using current_organization(), current_livemode(), filters;
  if matches > 0 then
    -- The rare are gathered first and sorted then; left to choose, the planner would walk far to find them in order.
    return query execute 'with found as ' || case when common then 'not ' else '' end || 'materialized (select c.id from contacts c where '
      || condition || ' and c.id < $4) select found.id, $5 from found order by found.id desc limit $6'
      using current_organization(), current_livemode(), filters, before, matches, page_size;
    has_page := found;
  end if;
  perform set_config('enable_bitmapscan', 'on', true);
  if not has_page then return query select null::uuid, matches; end if;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function search_contacts from public;
set role frontdesk_system;
grant execute on function search_contacts to frontdesk_tenant;
reset role;
