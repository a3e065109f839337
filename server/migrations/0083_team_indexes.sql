-- Concurrently: building them reads all tickets.
create index concurrently tickets_of_team on tickets (organization_id, livemode, team_id, status, last_activity_at desc, id desc)
  where team_id is not null;
