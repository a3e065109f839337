-- Concurrently: reports read hand-offs by time, and the timeline may be large.
create index concurrently activities_hand_offs on activities (organization_id, livemode, id)
  where type = 'handoff_to_human';
