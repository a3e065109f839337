-- What a contact did to a message after sending it.
alter table messages
  add column edited_at timestamptz(3),
  -- {versions: [{id, at, body}], history: [{body, written_at}], text_missing, applied_at}. `versions` holds every version in the
  -- order of the platform's clock, the first one included, so that edits may come twice or out of order; a version whose text
  -- the platform did not deliver has a null body. `history` is what is shown of it.
  add column edits jsonb,
  add column revoked_at timestamptz(3);

alter table early_updates drop constraint early_updates_kind_check,
  add constraint early_updates_kind_check check (kind in ('status', 'reaction', 'edit'));
