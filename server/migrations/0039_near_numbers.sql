-- The numbers of calls, read from their end, because a country code may be missing at the front; the newest call of each
-- number last. Both carry the columns that counting and filters need, so that it reads the index alone.
create index calls_by_from_number on calls (organization_id, livemode, (reverse(from_number) collate "C"), id)
  include (from_number, status, direction);
create index calls_by_to_number on calls (organization_id, livemode, (reverse(to_number) collate "C"), id)
  include (to_number, from_number, status, direction);

-- A number as it may have been meant: as typed, one digit wrong, one too many, one missing, two neighbours swapped.
create function digits_within_one_slip(digits text) returns setof text
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

-- Up to twenty numbers that calls of the caller's organization have, and that end with the digits but for one slip, each
-- read from its end. Each variant is a descent of the index, each further number with the same ending another one: a
-- number that a million calls have costs no more than one that a single call has.
create function call_numbers_near(digits text) returns text[]
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
    select distinct number from (select number from numbers where number <> '' limit 100) n limit 20);
end $$;

create or replace function search_calls(patterns text[], nearby text, filters jsonb, page_size integer, page_offset integer)
  returns table (id uuid, total bigint)
  -- About a page. With PostgreSQL's own estimate, a thousand, the join with calls would read all of them.
  rows 20
  -- Restores the setting on return, whatever the function sets it to.
  set enable_bitmapscan = on
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  own_rows text := 'c.organization_id = $1 and c.livemode = $2';
  wanted text := own_rows;
  holds text := (select string_agg(format('c.search_text like %L', pattern), ' or ') from unnest(patterns) pattern);
  numbers text[];
  common boolean;
begin
  if filters ? 'status' then wanted := wanted || ' and c.status = ($3 ->> ''status'')'; end if;
  if filters ? 'direction' then wanted := wanted || ' and c.direction = ($3 ->> ''direction'')'; end if;
  if filters ? 'agent_id' then wanted := wanted || ' and c.agent_id = ($3 ->> ''agent_id'')::uuid'; end if;
  -- A range of times is a range of ids.
  if filters ? 'from' then wanted := wanted || ' and c.id >= ($3 ->> ''from'')::uuid'; end if;
  if filters ? 'to' then wanted := wanted || ' and c.id < ($3 ->> ''to'')::uuid'; end if;

  -- The planner has no statistics to tell rare from common here, so a look at the newest calls does. What is common, or
  -- too short to have a trigram, is quicker found by walking the primary key, which carries the text.
  execute 'select count(*) filter (where ' || holds || ') > 50 from (select c.search_text from calls c where '
    || own_rows || ' order by c.id desc limit 1000) c' into common using current_organization(), current_livemode();
  common := common or exists (select from unnest(patterns) pattern where length(pattern) < 5);
  perform set_config('enable_bitmapscan', case when common then 'off' else 'on' end, true);
  -- Rare rows are gathered once, counted and sorted; left to choose, the planner would walk far to find them in order.
  return query execute 'with found as ' || case when common then 'not ' else '' end || 'materialized (
      select c.id from calls c where ' || wanted || ' and (' || holds || '))
    select page.id, n.total from (select count(*) as total from found) n left join (
      select found.id from found order by found.id desc limit $4 offset $5) page on true
    where n.total > 0 order by page.id desc'
    using current_organization(), current_livemode(), filters, page_size, page_offset;
  if found then return; end if;
  perform set_config('enable_bitmapscan', 'on', true);

  -- Shorter numbers come within one slip of too many others, longer ones are none.
  if nearby ~ '^[0-9]{6,20}$' then numbers := call_numbers_near(nearby); end if;
  if numbers <> '{}' then
    -- The newest calls of each number are read in the order of its index and merged, however many calls it has. `between`
    -- and the order by number leave the planner no other index: it takes every number for as common as the organization's own.
    return query execute 'with n as materialized (
        select (select count(*) from calls c where ' || wanted || ' and reverse(c.from_number) collate "C" = any ($4))
          + (select count(*) from calls c where ' || wanted || ' and reverse(c.to_number) collate "C" = any ($4)
            and reverse(c.from_number) collate "C" <> all ($4)) as total
      ) select page.id, n.total from n left join (
        select newest.id from unnest($4) number (ending) cross join lateral (
          (select c.id from calls c where ' || wanted || ' and reverse(c.from_number) collate "C" between ending and ending
            order by reverse(c.from_number) collate "C" desc, c.id desc limit $5 + $6)
          union all
          (select c.id from calls c where ' || wanted || ' and reverse(c.to_number) collate "C" between ending and ending
            order by reverse(c.to_number) collate "C" desc, c.id desc limit $5 + $6)) newest
        group by newest.id order by newest.id desc limit $5 offset $6) page on true
      where n.total > 0 order by page.id desc'
      using current_organization(), current_livemode(), filters, numbers, page_size, page_offset;
    if found then return; end if;
  end if;

  if nearby = '' then return query select null::uuid, 0::bigint; return; end if;
  perform set_config('pg_trgm.word_similarity_threshold', '0.6', true);
  -- What is similar to most calls, as a slip in the organization's own number is, is looked for among the newest only.
  execute 'select count(*) filter (where $3 <% c.search_text) > 50 from (select c.search_text from calls c where '
    || own_rows || ' order by c.id desc limit 1000) c' into common
    using current_organization(), current_livemode(), nearby;
  return query execute 'with candidates as materialized (' || case
      when common then 'select c.id, c.search_text from calls c where ' || wanted || ' order by c.id desc limit 1000'
      else 'select c.id, c.search_text from calls c where ' || wanted || ' and $4 <% c.search_text limit 1000' end || '
    ), near as materialized (
      select c.id, word_similarity($4, c.search_text) as nearness from candidates c where $4 <% c.search_text)
    select page.id, n.total from (select count(*) as total from near) n left join (
      select near.id, near.nearness from near order by near.nearness desc, near.id desc limit $5 offset $6) page on true
    order by page.nearness desc, page.id desc'
    using current_organization(), current_livemode(), filters, nearby, page_size, page_offset;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function call_numbers_near from public;
