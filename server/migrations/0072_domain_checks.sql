-- Verified domains are checked again every day; one whose record is gone for a week admits no one any more.
alter table domains
  add column last_checked_at timestamptz(3),
  -- Since when the record is missing.
  add column failing_since timestamptz(3);
create index domains_to_check on domains (last_checked_at nulls first) where verified_at is not null;
drop trigger audited on domains;
create trigger audited after insert or delete or update of verified_at, failing_since on domains
  for each row execute function audit_change('domain', 'domain role verified_at failing_since', 'domain');
