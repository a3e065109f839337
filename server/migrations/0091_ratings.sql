-- Asks contacts to rate a conversation when it is closed, on channels that want it.
alter table channels add column asks_for_rating boolean not null default false;
-- Set once, when the request is stored: a ticket is asked about once.
alter table tickets add column rating_requested_at timestamptz(3), add column rating_message_id uuid,
  add column rating text, add column rated_at timestamptz(3),
  add constraint tickets_rating_check check (rating in ('good', 'okay', 'bad')) not valid;
create trigger audited_rating after update of asks_for_rating on channels
  for each row execute function audit_change('channel', 'asks_for_rating', 'display_name');
