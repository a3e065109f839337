-- Adds priority, tags and snoozing to tickets, and the columns that their queues are made of.
alter table tickets
  -- 0 low, 1 normal, 2 high, 3 urgent.
  add column priority      smallint not null default 1,
  add column tags          text[] not null default '{}',
  add column snoozed_until timestamptz(3),
  -- Since when the contact waits for an answer; null if it does not.
  add column waiting_since timestamptz(3),
  -- A copy of the contact's: counting a queue then reads one index alone.
  add column ai_handling   boolean not null default true,
  add constraint tickets_priority_check check (priority between 0 and 3) not valid;

-- The channels that an active agent answers.
create function answering_channels(organization uuid, is_live boolean) returns uuid[] language sql stable
  return array(
    select c.id from channels c join agents a
      on a.organization_id = c.organization_id and a.livemode = c.livemode and a.id = c.agent_id
    where c.organization_id = organization and c.livemode = is_live and c.deleted_at is null and a.is_active = 'active');

create or replace function copy_contact_text() returns trigger language plpgsql as $$
begin
  select search_text, ai_handling into new.contact_text, new.ai_handling from contacts
  where organization_id = new.organization_id and livemode = new.livemode and id = new.contact_id;
  new.contact_text := coalesce(new.contact_text, '');
  new.ai_handling := coalesce(new.ai_handling, true);
  return new;
end $$;

-- A contact that an agent stops answering waits for a person, also if the agent had the last word.
create function copy_ai_handling() returns trigger language plpgsql as $$
begin
  update tickets set ai_handling = new.ai_handling, waiting_since = case
      when status = 'open' and not new.ai_handling
        and channel_id = any (answering_channels(new.organization_id, new.livemode))
      then coalesce(waiting_since, now()) else waiting_since end
  where organization_id = new.organization_id and livemode = new.livemode and contact_id = new.id;
  return null;
end $$;
create trigger copy_ai_handling after update on contacts for each row
  when (old.ai_handling <> new.ai_handling) execute function copy_ai_handling();

-- A contact whose answer was not delivered waits again, if the last message that got through is its own.
create function wait_again() returns trigger language plpgsql as $$
begin
  update tickets set waiting_since = newest.created_at from (
    select m.direction, m.created_at from messages m where m.organization_id = new.organization_id
      and m.livemode = new.livemode and m.ticket_id = new.ticket_id and (m.direction = 'inbound' or m.status <> 'failed')
    order by m.created_at desc, m.id desc limit 1) newest
  where tickets.organization_id = new.organization_id and tickets.livemode = new.livemode and tickets.id = new.ticket_id
    and tickets.status = 'open' and tickets.waiting_since is null and newest.direction = 'inbound';
  return null;
end $$;
create trigger wait_again after update of status on messages for each row
  when (new.status = 'failed' and old.status <> 'failed' and new.direction = 'outbound' and new.ticket_id is not null)
  execute function wait_again();

-- Tags again, one row each: an array's own index cannot be used under row-level security.
create table ticket_tags (
  organization_id uuid not null,
  livemode        boolean not null,
  tag             text not null,
  ticket_id       uuid not null,
  primary key (organization_id, livemode, tag, ticket_id),
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade
);
create index ticket_tags_of_ticket on ticket_tags (organization_id, livemode, ticket_id);
call protect_tenant_table('ticket_tags');

create function retag_ticket() returns trigger language plpgsql as $$
begin
  delete from ticket_tags
  where organization_id = new.organization_id and livemode = new.livemode and ticket_id = new.id
    and tag <> all (new.tags);
  insert into ticket_tags (organization_id, livemode, tag, ticket_id)
  select distinct new.organization_id, new.livemode, tag, new.id from unnest(new.tags) tag
  on conflict do nothing;
  return null;
end $$;
create trigger retag after update on tickets for each row
  when (old.tags <> new.tags) execute function retag_ticket();

create table ticket_tag_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  tag             text not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, tag, shard)
) with (fillfactor = 50);
call protect_tenant_table('ticket_tag_counts');

create function count_ticket_tags() returns trigger language plpgsql as $$
begin
  insert into ticket_tag_counts as c (organization_id, livemode, tag, shard, n)
  select organization_id, livemode, tag, counter_shard(),
    case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2, 3 order by 1, 2, 3
  on conflict (organization_id, livemode, tag, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on ticket_tags referencing new table as changed
  for each statement execute function count_ticket_tags();
create trigger count_removed after delete on ticket_tags referencing old table as changed
  for each statement execute function count_ticket_tags();

-- The search of 0009 with the new filters.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create or replace function search_tickets(patterns text[], filters jsonb, page_size integer, page_offset integer)
  returns table (id uuid, total bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp set work_mem = '64MB' as $$
declare
  -- One `like` each: the trigram index knows no `like any`.
  is_called text := (select string_agg(format('t.contact_text like %L', pattern), ' or ') from unnest(patterns) pattern);
  is_named text := (select string_agg(format('c.search_text like %L', pattern), ' or ') from unnest(patterns) pattern);
  is_wanted text := 't.organization_id = $1 and t.livemode = $2';
  own_messages text := 'm.organization_id = $1 and m.livemode = $2 and m.ticket_id is not null and m.body <> ''''';
  is_written text := format('lower(m.body) like %L', patterns[1]);
  common boolean;
  -- The tickets in which it was written.
  hits uuid[] := '{}';
begin
  if length(patterns[1]) >= 5 then
    -- The planner has no statistics to tell rare from common here, so a look at the newest does. What is common is soon
    -- found by walking back from them; the newest matches are enough.
    execute 'select count(*) filter (where ' || is_written || ') > 20 from (
        select m.body from messages m where ' || own_messages || ' order by m.id desc limit 1000) m'
      into common using current_organization(), current_livemode();
    perform set_config('enable_bitmapscan', case when common then 'off' else 'on' end, true);
    execute 'select array(select distinct newest.ticket_id from (select m.ticket_id from messages m
        where ' || own_messages || ' and ' || is_written || ' order by m.id desc limit 10000) newest)'
      into hits using current_organization(), current_livemode();
    perform set_config('enable_bitmapscan', 'on', true);
  end if;
  execute 'select count(*) filter (where ' || is_called || ') > 50 from (select t.contact_text from tickets t where '
    || is_wanted || ' order by t.last_activity_at desc, t.id desc limit 1000) t'
    into common using current_organization(), current_livemode();
  common := common or exists (select from unnest(patterns) pattern where length(pattern) < 5);
  if filters ? 'status' then is_wanted := is_wanted || ' and t.status = ($3 ->> ''status'')'; end if;
  if filters ? 'contact_id' then is_wanted := is_wanted || ' and t.contact_id = ($3 ->> ''contact_id'')::uuid'; end if;
  if filters ? 'assignee_id' then is_wanted := is_wanted || ' and t.assignee_id = ($3 ->> ''assignee_id'')::uuid'; end if;
  if filters ? 'unread' then is_wanted := is_wanted || ' and (t.unread_count > 0) = ($3 ->> ''unread'')::boolean'; end if;
  if filters ? 'unassigned' then is_wanted := is_wanted || ' and t.assignee_id is null'; end if;
  if filters ? 'priority' then is_wanted := is_wanted || ' and t.priority = ($3 ->> ''priority'')::smallint'; end if;
  if filters ? 'tag' then is_wanted := is_wanted || ' and exists (select from ticket_tags tagged where
    tagged.organization_id = $1 and tagged.livemode = $2 and tagged.tag = ($3 ->> ''tag'') and tagged.ticket_id = t.id)'; end if;
  if filters ? 'snoozed' then
    is_wanted := is_wanted || ' and coalesce(t.snoozed_until > now(), false) = ($3 ->> ''snoozed'')::boolean'; end if;
  if filters ? 'waiting' then
    is_wanted := is_wanted || ' and (t.waiting_since is not null) = ($3 ->> ''waiting'')::boolean'; end if;
  if filters ? 'answered_by_ai' then
    is_wanted := is_wanted || ' and coalesce(t.ai_handling and t.channel_id = any ((select answering_channels($1, $2))::uuid[]), false)
      = ($3 ->> ''answered_by_ai'')::boolean'; end if;
  if common then
    -- What is common is quicker found by walking: the primary key, which carries what is looked at, and the latest.
    if cardinality(hits) > 0 then is_called := is_called || ' or t.id = any ($4)'; end if;
    return query execute 'select page.id, n.total from (
        select count(*) as total from tickets t where ' || is_wanted || ' and (' || is_called || ')) n
      left join (
        select t.id from tickets t where ' || is_wanted || ' and (' || is_called || ')
        order by t.last_activity_at desc, t.id desc limit $5 offset $6) page on true'
      using current_organization(), current_livemode(), filters, hits, page_size, page_offset;
  else
    -- The rare are gathered first and sorted then.
    return query execute 'with people as materialized (
        select c.id from contacts c where c.organization_id = $1 and c.livemode = $2 and (' || is_named || ')
      ), found as materialized (
        select t.id, t.last_activity_at from people join tickets t on t.contact_id = people.id where ' || is_wanted || '
        union
        select t.id, t.last_activity_at from unnest($4) hit (id) join tickets t on t.id = hit.id where ' || is_wanted || '
      ) select page.id, n.total from (select count(*) as total from found) n left join (
        select found.id from found order by found.last_activity_at desc, found.id desc limit $5 offset $6) page on true'
      using current_organization(), current_livemode(), filters, hits, page_size, page_offset;
  end if;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
