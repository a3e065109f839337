-- Concurrently: indexes reported conversations by contact, and open ones by their start.
create index concurrently reported_conversations_of_contact on reported_conversations (organization_id, livemode, contact_id);
create index concurrently reported_conversations_open_since on reported_conversations (organization_id, livemode, started_at)
  where ended_at is null;
