-- Concurrently: building these reads all tickets.
-- The queues: what they filter and sort by is in the index, so that counts and pages read no tickets that they do not return.
create index concurrently tickets_open on tickets (organization_id, livemode, last_activity_at desc, id desc)
  include (priority, assignee_id, channel_id, ai_handling, waiting_since, snoozed_until, unread_count)
  where status = 'open';

-- Few tickets have a priority other than normal.
create index concurrently tickets_prioritized on tickets
  (organization_id, livemode, priority, status, last_activity_at desc, id desc) where priority <> 1;
