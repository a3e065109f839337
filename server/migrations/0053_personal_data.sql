-- What is masked in transcripts before they are stored.
alter table privacy_settings add column masking jsonb not null default '{"card_numbers": false, "patterns": []}';
drop trigger audited on privacy_settings;
create trigger audited after insert or update on privacy_settings
  for each row execute function audit_change('privacy_settings', 'retention masking');

-- Exports of everything about a person, as a ZIP in the file store. They go with the contact, and after a week.
create table person_exports (
  organization_id   uuid not null default current_organization(),
  livemode          boolean not null default current_livemode(),
  id                uuid not null,
  contact_id        uuid not null,
  state             text not null default 'queued' check (state in ('queued', 'running', 'completed')),
  -- Why it could not be done yet.
  error             text,
  requested_by_type text not null check (requested_by_type in ('user', 'ai', 'system')),
  requested_by_id   uuid,
  file_key          text,
  size_bytes        bigint,
  sha256            text,
  expires_at        timestamptz(3) not null default now() + interval '7 days',
  completed_at      timestamptz(3),
  created_at        timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade
);
create index person_exports_of_contact on person_exports (organization_id, livemode, contact_id);
create index person_exports_by_expiry on person_exports (expires_at);
call protect_tenant_table('person_exports');
create trigger remove_file after delete on person_exports for each row execute function remove_file();
create trigger audited after insert on person_exports for each row execute function audit_change('person_export', 'contact_id');

-- What people agreed to and withdrew: an entry for each statement, never changed. They go with the contact alone.
create table consents (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  id              uuid not null default new_id(),
  contact_id      uuid not null,
  channel         text not null check (channel in ('all', 'chat', 'voice', 'email')),
  purpose         text not null,
  state           text not null check (state in ('granted', 'withdrawn')),
  -- How: the contact's own message, the platform, a member, a form, …
  source          text not null,
  -- What the person said or agreed to.
  text            text not null default '',
  -- When the person said so.
  at              timestamptz(3) not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade
);
create index consents_of_contact on consents (organization_id, livemode, contact_id, id desc);
call protect_tenant_table('consents');
