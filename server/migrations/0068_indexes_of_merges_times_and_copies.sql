-- Concurrently: all three are empty at first, but building them reads tables that may be large.
-- The deliveries that are linked to another one of their campaign.
create index concurrently deliveries_duplicates on deliveries (organization_id, livemode, duplicate_of)
  where duplicate_of is not null;

-- Empty unless a campaign has sending times. A claim must not walk past deliveries that wait for hours.
create index concurrently deliveries_timed on deliveries (organization_id, livemode, campaign_id, due_at, id)
  where status = 'pending' and due_at is not null;

-- One copied conversation for each contact and channel.
create unique index concurrently tickets_copied_once on tickets (organization_id, livemode, contact_id, copied_from)
  where copied_from is not null;
