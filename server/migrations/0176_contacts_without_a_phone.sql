-- Concurrently: indexes contacts without a phone number, for sorting. The others are in an index that keeps numbers unique.
create index concurrently contacts_without_phone on contacts (organization_id, livemode, id) where phone_number = '';
