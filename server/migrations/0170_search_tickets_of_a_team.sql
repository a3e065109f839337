-- The search in tickets takes the team as a filter.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
do $$
declare
  before text := $q$  if filters ? 'unread' then$q$;
  definition text := pg_get_functiondef('search_tickets'::regproc);
begin
  if position(before in definition) = 0 then raise exception 'search_tickets has another definition'; end if;
  execute replace(definition, before,
    $q$  if filters ? 'team_id' then is_wanted := is_wanted || ' and t.team_id = ($3 ->> ''team_id'')::uuid'; end if;$q$
      || E'\n' || before);
end $$;
reset role;
revoke create on schema public from frontdesk_system;
