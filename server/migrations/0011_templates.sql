-- WhatsApp templates and their counters.
create table templates (
  organization_id     uuid not null default current_organization() references organizations on delete cascade,
  livemode            boolean not null default current_livemode(),
  id                  uuid not null,
  -- The channel that registered it; every channel of the same business account may use it.
  channel_id          uuid not null,
  account_id          text not null,
  business_account_id text not null,
  remote_template_id  text,
  name                text not null,
  language            text not null,
  category            text not null check (category in ('MARKETING', 'UTILITY', 'AUTHENTICATION')),
  -- What the platform has announced that the category will become.
  upcoming_category   text,
  -- The last review verdict; the platform's own word is beside it, null until it has said one.
  status              text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED')),
  platform_status     text,
  rejected_reason     text,
  components          jsonb not null,
  quality_score       text not null default '' check (quality_score in ('', 'GREEN', 'YELLOW', 'RED')),
  -- When the platform said each of these, by its own clock: an older word never replaces a newer one.
  status_at           timestamptz(3) not null default 'epoch',
  platform_status_at  timestamptz(3) not null default 'epoch',
  quality_at          timestamptz(3) not null default 'epoch',
  category_at         timestamptz(3) not null default 'epoch',
  -- `held`: asked again when somebody has changed something, or in a while. `refused`: the platform never took it.
  registration        text not null default 'registering'
    check (registration in ('registering', 'uncertain', 'held', 'registered', 'refused')),
  registration_error  text,
  -- From just before the platform is asked to create it until it has clearly said yes or no.
  may_exist           boolean not null default false,
  attempts            integer not null default 0,
  next_attempt_at     timestamptz(3) default now(),
  -- When something was changed that it may have waited for: an attempt that began before then proves nothing.
  woken_at            timestamptz(3),
  registered_at       timestamptz(3),
  -- Whoever speaks with the platform about this template holds it, so that creating and deleting never overlap.
  claim_id            uuid,
  claimed_until       timestamptz(3),
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  -- Carries what filters and searches ask for: a page is found in an index alone, however far down it is.
  primary key (organization_id, livemode, id) include (status, category, name),
  constraint templates_channel_exists foreign key (organization_id, livemode, channel_id) references channels
) with (fillfactor = 80);
-- What the platform refused was never there: its name is free.
create unique index templates_name_is_unique
  on templates (organization_id, livemode, business_account_id, name, language) where registration <> 'refused';
create unique index templates_remote_id_is_unique
  on templates (organization_id, livemode, business_account_id, remote_template_id) where remote_template_id is not null;
create index templates_by_status on templates (organization_id, livemode, status, id desc) include (category);
create index templates_by_category on templates (organization_id, livemode, category, id desc) include (status);
create index templates_by_name on templates using gin (organization_id, name gin_trgm_ops);
create index templates_to_register on templates (next_attempt_at) where next_attempt_at is not null;
call protect_tenant_table('templates');

create table template_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  status          text not null,
  category        text not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, status, category, shard)
) with (fillfactor = 50);
call protect_tenant_table('template_counts');

create function count_templates() returns trigger language plpgsql as $$
begin
  insert into template_counts as c (organization_id, livemode, status, category, shard, n)
  select organization_id, livemode, status, category, counter_shard(),
    case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (organization_id, livemode, status, category, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on templates referencing new table as changed
  for each statement execute function count_templates();
create trigger count_removed after delete on templates referencing old table as changed
  for each statement execute function count_templates();

create function recount_template() returns trigger language plpgsql as $$
begin
  insert into template_counts as c (organization_id, livemode, status, category, shard, n)
  select new.organization_id, new.livemode, status, category, counter_shard(), n
  from (values (old.status, old.category, -1), (new.status, new.category, 1)) change (status, category, n)
  order by status, category
  on conflict (organization_id, livemode, status, category, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger recount after update on templates for each row
  when (old.status <> new.status or old.category <> new.category) execute function recount_template();

-- Business accounts whose templates are kept in step with the platform.
create table template_accounts (
  organization_id     uuid not null default current_organization() references organizations on delete cascade,
  livemode            boolean not null default current_livemode(),
  business_account_id text not null,
  -- Null while no channel leads there.
  next_sync_at        timestamptz(3) default now(),
  -- A job for it is waiting.
  sync_queued         boolean not null default false,
  -- When the listing began that was applied last: an older one that arrives later is not applied.
  listed_at           timestamptz(3) not null default 'epoch',
  sync_error          text,
  -- Until then nothing is registered there: the platform was silent, throttles, or wants no more of this token.
  held_until          timestamptz(3),
  primary key (organization_id, livemode, business_account_id)
) with (fillfactor = 80);
create index template_accounts_to_sync on template_accounts (next_sync_at) where next_sync_at is not null;
call protect_tenant_table('template_accounts');

-- As the role that sees every organization: an owner that is no superuser sees none.
set role frontdesk_system;
insert into template_accounts (organization_id, livemode, business_account_id)
select distinct organization_id, livemode, chat ->> 'business_account_id' from channels
where deleted_at is null and chat is not null;
reset role;

-- What was deleted lately: a listing that began before must not bring it back.
create table deleted_templates (
  organization_id     uuid not null default current_organization() references organizations on delete cascade,
  livemode            boolean not null default current_livemode(),
  business_account_id text not null,
  remote_template_id  text not null,
  deleted_at          timestamptz(3) not null default now(),
  primary key (organization_id, livemode, business_account_id, remote_template_id)
);
create index deleted_templates_by_time on deleted_templates (deleted_at);
call protect_tenant_table('deleted_templates');

-- Part of a name. As search_contacts does: a trigram index is out of reach under row-level security, so this one query
-- runs as the system role and names the caller's organization itself.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create function search_templates(pattern text, filters jsonb, page_size integer, page_offset bigint)
  returns table (id uuid, total bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  own_rows text := 't.organization_id = $1 and t.livemode = $2';
  condition text := own_rows || format(' and t.name like %L', pattern);
  common boolean;
  matches bigint;
  has_page boolean := false;
begin
  if filters ? 'status' then condition := condition || ' and t.status = ($3 ->> ''status'')'; end if;
  if filters ? 'category' then condition := condition || ' and t.category = ($3 ->> ''category'')'; end if;
  -- What is common among the newest, or too short to have a trigram, is quicker found by walking the primary key.
  execute format('select count(*) filter (where t.name like %L) > 50 from (select t.name from templates t where ', pattern)
    || own_rows || ' order by t.id desc limit 1000) t' into common using current_organization(), current_livemode();
  common := common or length(pattern) < 5;
  perform set_config('enable_bitmapscan', case when common then 'off' else 'on' end, true);
  execute 'select count(*) from templates t where ' || condition into matches
    using current_organization(), current_livemode(), filters;
  if matches > page_offset then
    -- The rare are gathered first and sorted then; left to choose, the planner would walk far to find them in order.
    return query execute 'with found as ' || case when common then 'not ' else '' end
      || 'materialized (select t.id from templates t where ' || condition
      || ') select found.id, $4 from found order by found.id desc limit $5 offset $6'
      using current_organization(), current_livemode(), filters, matches, page_size, page_offset;
    has_page := found;
  end if;
  perform set_config('enable_bitmapscan', 'on', true);
  if not has_page then return query select null::uuid, matches; end if;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function search_templates from public;
set role frontdesk_system;
grant execute on function search_templates to frontdesk_tenant;
reset role;
