-- Remembers which channels an agent answered when a bulk edit of contacts was started. Its filter handled_by is resolved with these, so an
-- agent that is turned off halfway changes no other contacts. Null: the filter does not depend on it, or an
-- earlier release started the edit.
alter table contact_bulk_edits add column answering_channels uuid[];
