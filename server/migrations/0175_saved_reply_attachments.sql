-- Lets a saved reply have several attachments: moves each file from the reply to a row of its own.
create table saved_reply_attachments (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  saved_reply_id  uuid not null,
  file_key        text not null,
  file_name       text not null,
  mime_type       text not null,
  size_bytes      bigint not null,
  sha256          text not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, saved_reply_id) references saved_replies on delete cascade
);
create index saved_reply_attachments_of_reply on saved_reply_attachments
  (organization_id, livemode, saved_reply_id, id);
call protect_tenant_table('saved_reply_attachments');
set role frontdesk_system;
-- A reply's own id sorts before those of the attachments that are added to it.
insert into saved_reply_attachments (organization_id, livemode, id, saved_reply_id, file_key, file_name, mime_type,
  size_bytes, sha256, created_at)
select organization_id, livemode, id, id, file_key, file_name, mime_type, size_bytes, sha256, updated_at
from saved_replies where file_key is not null;
reset role;
create trigger remove_file after delete on saved_reply_attachments for each row execute function remove_file();
create trigger audited after insert or delete or update of file_name on saved_reply_attachments
  for each row execute function audit_change('saved_reply_attachment', 'saved_reply_id file_name', 'file_name');

-- No release has these columns.
drop trigger remove_file on saved_replies;
drop trigger audited on saved_replies;
alter table saved_replies drop column file_key, drop column file_name, drop column mime_type, drop column size_bytes,
  drop column sha256;
create trigger audited after insert or delete or update of name, body, owner_id on saved_replies
  for each row execute function audit_change('saved_reply', 'name body owner_id', 'name');
