-- Concurrently: building it reads all tickets. Lists are sorted by it.
create index concurrently tickets_by_due_time on tickets (organization_id, livemode, sla_due_at, id)
  where status = 'open' and sla_due_at is not null;
