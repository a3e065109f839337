-- How long each organization keeps what it holds about people. The limits of the installation apply besides.
create table privacy_settings (
  organization_id uuid primary key default current_organization() references organizations on delete cascade,
  -- Days by kind, such as {"messages": 365}; a kind that is missing has no limit of its own.
  retention       jsonb not null default '{}',
  updated_at      timestamptz(3) not null default now()
);
call protect_tenant_table('privacy_settings');
create trigger audited after insert or update on privacy_settings
  for each row execute function audit_change('privacy_settings', 'retention');

-- When the numbers and variables of its deliveries were deleted, at the end of their retention.
alter table campaigns add column recipients_expired_at timestamptz(3);

-- What still has something to delete. Ids are ordered by time, so the oldest come first.
create index calls_to_strip on calls (organization_id, livemode, id) where transcript <> '[]';
create index calls_with_file on calls (organization_id, livemode, id) where file_key is not null;
create index message_media_with_file on message_media (organization_id, livemode, id) where file_key is not null;

-- Rows that expire leave no entry each: the setting that deletes them has one.
drop trigger audited on calls;
create trigger audited after delete on calls for each row
  when (current_setting('frontdesk.expiring', true) is distinct from 'on') execute function audit_change('call', '');
