-- Concurrently: indexes the messages that members rated.
create index concurrently messages_rated on messages (organization_id, livemode, (feedback ->> 'rating'), id)
  where feedback is not null;
