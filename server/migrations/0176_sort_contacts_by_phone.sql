-- Concurrently: indexes contacts by phone number, for sorting.
create index concurrently contacts_by_phone on contacts (organization_id, livemode, (phone_number collate "C"), id);
