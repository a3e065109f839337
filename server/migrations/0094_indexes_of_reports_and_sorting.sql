-- Concurrently: indexes of large tables, for reports, for ratings and for sorting contacts.
create index concurrently activities_hand_offs on activities (organization_id, livemode, id)
  where type = 'handoff_to_human';

create index concurrently tickets_rated on tickets (organization_id, livemode, rated_at) where rated_at is not null;

create index concurrently contacts_by_name on contacts (organization_id, livemode, lower(name), id);

create index concurrently contacts_by_activity on contacts
  (organization_id, livemode, coalesce(last_activity_at, '-infinity'::timestamptz), id);
