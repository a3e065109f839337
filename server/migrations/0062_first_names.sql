-- What messages call a contact; without it, the first word of the name.
alter table contacts add column first_name text;
