-- Calls are searched among those of an agent and of a time as well.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create or replace function search_calls(patterns text[], nearby text, filters jsonb, page_size integer, page_offset integer)
  returns table (id uuid, total bigint)
  -- A page: with PostgreSQL's own guess, a thousand, whoever joins it to the calls would read all of them.
  rows 20
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  matching text := (select string_agg(format('c.search_text like %L', pattern), ' or ') from unnest(patterns) pattern);
  own_rows text := 'c.organization_id = $1 and c.livemode = $2';
  filter text := '';
  condition text;
  common boolean;
  matches bigint;
  has_page boolean := false;
begin
  if filters ? 'status' then filter := filter || ' and c.status = ($3 ->> ''status'')'; end if;
  if filters ? 'direction' then filter := filter || ' and c.direction = ($3 ->> ''direction'')'; end if;
  if filters ? 'agent_id' then filter := filter || ' and c.agent_id = ($3 ->> ''agent_id'')::uuid'; end if;
  -- A range of times is a range of ids.
  if filters ? 'from' then filter := filter || ' and c.id >= ($3 ->> ''from'')::uuid'; end if;
  if filters ? 'to' then filter := filter || ' and c.id < ($3 ->> ''to'')::uuid'; end if;
  condition := own_rows || filter || ' and (' || matching || ')';
  -- A look at the newest tells rare from common. What is common, or too short to have a trigram, is quicker found by
  -- walking the primary key, which carries the text.
  execute 'select count(*) filter (where ' || matching || ') > 50 from (select c.search_text from calls c where '
    || own_rows || ' order by c.id desc limit 1000) c' into common using current_organization(), current_livemode();
  common := common or exists (select from unnest(patterns) pattern where length(pattern) < 5);
  perform set_config('enable_bitmapscan', case when common then 'off' else 'on' end, true);
  execute 'select count(*) from calls c where ' || condition into matches
    using current_organization(), current_livemode(), filters;
  if matches > 0 then
    return query execute 'with found as ' || case when common then 'not ' else '' end || 'materialized (select c.id from calls c where '
      || condition || ') select found.id, $4 from found order by found.id desc limit $5 offset $6'
      using current_organization(), current_livemode(), filters, matches, page_size, page_offset;
    has_page := found;
  elsif nearby <> '' then
    perform set_config('enable_bitmapscan', 'on', true);
    perform set_config('pg_trgm.word_similarity_threshold', '0.6', true);
    -- What comes near most calls, as a slip in the own number does, is looked for among the newest only.
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
    has_page := found;
  end if;
  perform set_config('enable_bitmapscan', 'on', true);
  if not has_page then return query select null::uuid, matches; end if;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
