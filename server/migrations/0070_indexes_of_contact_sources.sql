-- Concurrently: all three are empty at first and hold only contacts that came from ads, but building them reads all contacts.
create index concurrently contacts_by_source on contacts (organization_id, livemode, source_id, id desc)
  where source_id is not null;

create index concurrently contacts_by_source_type on contacts (organization_id, livemode, source_type, id desc)
  where source_type is not null;

-- Counts contacts by ad in a range of time from the index alone.
create index concurrently contacts_by_source_time on contacts (organization_id, livemode, source_at)
  include (source_type, source_id) where source_at is not null;
