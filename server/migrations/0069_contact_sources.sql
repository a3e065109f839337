-- Adds the ad or post that a contact came from. All five are null, or the type and the time are set.
alter table contacts add column source_type text, add column source_id text, add column source_headline text,
  add column source_url text, add column source_at timestamptz(3);

-- As before, with the filters source_type and source_id.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create or replace function search_contacts(patterns text[], filters jsonb, before uuid, page_size integer)
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
  if filters ? 'source_type' then condition := condition || ' and c.source_type = ($3 ->> ''source_type'')'; end if;
  if filters ? 'source_id' then condition := condition || ' and c.source_id = ($3 ->> ''source_id'')'; end if;
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
