-- Concurrently: indexes the e-mail addresses of contacts.
create index concurrently contacts_by_email on contacts (organization_id, livemode, email_of(custom_fields))
  where email_of(custom_fields) is not null;
