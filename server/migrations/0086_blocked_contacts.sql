-- Contacts can be blocked: their messages are dropped, and nothing is sent to them.
alter table contacts add column blocked_at timestamptz(3);
create trigger audited_block after update of blocked_at on contacts
  for each row when ((old.blocked_at is null) <> (new.blocked_at is null))
  execute function audit_change('contact', 'blocked_at');
