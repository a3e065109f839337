-- Writes to contacts, tickets and calls wait until this is done; reads go on. The locks are taken at once and before
-- anything is written, since requests take them in any order: what cannot be had within two seconds is let go and tried
-- again, so that neither side ends in a deadlock.
do $$
begin
  set local lock_timeout = '2s';
  for attempt in 1..30 loop
    begin
      lock table contacts, tickets, calls in exclusive mode;
      exit;
    exception when lock_not_available or deadlock_detected then
      if attempt = 30 then
        raise exception 'Tables stayed locked for a minute: stop other nodes and what else uses the database, then migrate again';
      end if;
      perform pg_sleep(0.2);
    end;
  end loop;
  set local lock_timeout = default;
end $$;

-- The numbers of calls, read from their end: a country code may be missing at the front.
create index if not exists calls_by_from_number on calls (organization_id, livemode, (reverse(from_number) collate "C"));
create index if not exists calls_by_to_number on calls (organization_id, livemode, (reverse(to_number) collate "C"));

-- A number as it may have been meant: as typed, one digit wrong, one too many, one missing, two neighbours swapped.
create or replace function digits_within_one_slip(digits text) returns setof text
  language sql immutable parallel safe
begin atomic
  with place as (select generate_series(1, length(digits) + 1) as i), digit as (select generate_series(0, 9)::text as d)
  select digits
  union select overlay(digits placing d from i for 1) from place, digit where i <= length(digits)
  union select overlay(digits placing '' from i for 1) from place where i <= length(digits)
  union select overlay(digits placing d from i for 0) from place, digit
  union select overlay(digits placing reverse(substr(digits, i, 2)) from i for 2) from place where i < length(digits);
end;

-- Search in calls, in three steps; each is taken only where the one before found nothing:
--   1. Calls that hold a pattern. Newest first.
--   2. Where digits are looked for: calls from or to a number that ends with them but for one slip. Newest first.
--   3. Calls whose text is similar by trigrams, the most similar first.
-- Under row-level security the planner may not use these indexes (their operators are not leakproof), so the search runs
-- as the system role and names the caller's organization itself.
grant create on schema public to frontdesk_system;
set role frontdesk_system;

-- Up to twenty numbers that calls of the caller's organization have, and that end with the digits but for one slip. Each
-- variant is a descent of the index, each further number with the same ending another one: a number that a million calls
-- have costs no more than one that a single call has.
create or replace function call_numbers_near(digits text) returns text[]
  language plpgsql stable set search_path = public, pg_temp as $$
declare
  endings text[] := array(
    select distinct reverse(variant) from unnest(array[digits, ltrim(digits, '0')]) typed,
      digits_within_one_slip(typed) variant where length(variant) >= 6);
begin
  return array(
    with recursive numbers (side, ending, number) as (
      select side, ending, '' collate "C" from unnest(array['from', 'to']) side, unnest(endings) ending
      union all
      select n.side, n.ending, case n.side
        when 'from' then (
          select reverse(c.from_number) collate "C" from calls c
          where c.organization_id = current_organization() and c.livemode = current_livemode()
            and reverse(c.from_number) collate "C" >= n.ending and reverse(c.from_number) collate "C" < n.ending || ':'
            and reverse(c.from_number) collate "C" > n.number
          order by reverse(c.from_number) collate "C" limit 1)
        else (
          select reverse(c.to_number) collate "C" from calls c
          where c.organization_id = current_organization() and c.livemode = current_livemode()
            and reverse(c.to_number) collate "C" >= n.ending and reverse(c.to_number) collate "C" < n.ending || ':'
            and reverse(c.to_number) collate "C" > n.number
          order by reverse(c.to_number) collate "C" limit 1) end
      from numbers n where n.number is not null
    )
    select distinct reverse(number) from (select number from numbers where number <> '' limit 100) n limit 20);
end $$;

create or replace function search_calls(patterns text[], nearby text, filters jsonb, page_size integer, page_offset integer)
  returns table (id uuid, total bigint)
  -- About a page. With PostgreSQL's own estimate, a thousand, the join with calls would read all of them.
  rows 20
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  own_rows text := 'c.organization_id = $1 and c.livemode = $2';
  filter text := '';
  -- The same condition twice: as the primary key's index can check it, and as an index can find it.
  holds text := (select string_agg(format('c.search_text like %L', pattern), ' or ') from unnest(patterns) pattern);
  is_found text := holds;
  numbers text[];
  common boolean;
  is_done boolean := false;
begin
  if filters ? 'status' then filter := filter || ' and c.status = ($3 ->> ''status'')'; end if;
  if filters ? 'direction' then filter := filter || ' and c.direction = ($3 ->> ''direction'')'; end if;
  if filters ? 'agent_id' then filter := filter || ' and c.agent_id = ($3 ->> ''agent_id'')::uuid'; end if;
  -- A range of times is a range of ids.
  if filters ? 'from' then filter := filter || ' and c.id >= ($3 ->> ''from'')::uuid'; end if;
  if filters ? 'to' then filter := filter || ' and c.id < ($3 ->> ''to'')::uuid'; end if;
  for step in 1..2 loop
    if step = 2 then
      -- Shorter numbers come within one slip of too many others, longer ones are none.
      exit when nearby !~ '^[0-9]{6,20}$';
      numbers := call_numbers_near(nearby);
      exit when numbers = '{}';
      holds := (select string_agg(format('c.search_text like %L', substring_pattern(number)), ' or ') from unnest(numbers) number);
      is_found := 'reverse(c.from_number) collate "C" = any ($4) or reverse(c.to_number) collate "C" = any ($4)';
      numbers := array(select reverse(number) from unnest(numbers) number);
    end if;
    -- The planner has no statistics to tell rare from common here, so a look at the newest calls does. What is common, or
    -- too short to have a trigram, is quicker found by walking the primary key, which carries the text.
    execute 'select count(*) filter (where ' || holds || ') > 50 from (select c.search_text from calls c where '
      || own_rows || ' order by c.id desc limit 1000) c' into common using current_organization(), current_livemode();
    common := common or (step = 1 and exists (select from unnest(patterns) pattern where length(pattern) < 5));
    perform set_config('enable_bitmapscan', case when common then 'off' else 'on' end, true);
    -- Rare rows are gathered once, counted and sorted; left to choose, the planner would walk far to find them in order.
    return query execute 'with found as ' || case when common then 'not ' else '' end || 'materialized (select c.id from calls c where '
      || own_rows || filter || ' and (' || case when common then holds else is_found end || '))
      select page.id, n.total from (select count(*) as total from found) n left join (
        select found.id from found order by found.id desc limit $5 offset $6) page on true
      where n.total > 0 order by page.id desc'
      using current_organization(), current_livemode(), filters, numbers, page_size, page_offset;
    is_done := found;
    exit when is_done;
  end loop;
  if not is_done and nearby <> '' then
    perform set_config('enable_bitmapscan', 'on', true);
    perform set_config('pg_trgm.word_similarity_threshold', '0.6', true);
    -- What is similar to most calls, as a slip in the organization's own number is, is looked for among the newest only.
    execute 'select count(*) filter (where $3 <% c.search_text) > 50 from (select c.search_text from calls c where '
      || own_rows || ' order by c.id desc limit 1000) c' into common
      using current_organization(), current_livemode(), nearby;
    return query execute 'with candidates as materialized (' || case
        when common then 'select c.id, c.search_text from calls c where ' || own_rows || filter || ' order by c.id desc limit 1000'
        else 'select c.id, c.search_text from calls c where ' || own_rows || filter || ' and $4 <% c.search_text limit 1000' end || '
      ), near as materialized (
        select c.id, word_similarity($4, c.search_text) as nearness from candidates c where $4 <% c.search_text)
      select page.id, n.total from (select count(*) as total from near) n left join (
        select near.id, near.nearness from near order by near.nearness desc, near.id desc limit $5 offset $6) page on true
      order by page.nearness desc, page.id desc'
      using current_organization(), current_livemode(), filters, nearby, page_size, page_offset;
    is_done := true;
  end if;
  perform set_config('enable_bitmapscan', 'on', true);
  if not is_done then return query select null::uuid, 0::bigint; end if;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function call_numbers_near from public;

-- Only contacts whose names have something to fold are written, by their trigger; another one brings the copy in their
-- tickets up to date. As the role that sees every organization: an owner that is no superuser sees none.
set role frontdesk_system;
update contacts set name = name where search_text <> fold_text(name) || ' ' || phone_number;
reset role;
