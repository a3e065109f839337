-- Adds notes in conversations, saved replies and saved views of the inbox.
create table ticket_notes (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  ticket_id       uuid not null,
  contact_id      uuid not null,
  -- Null for a key without a creator. Stays when the member leaves.
  author_id       uuid,
  body            text not null check (body <> ''),
  mentioned_ids   uuid[] not null default '{}',
  -- Its entry in the contact's timeline.
  activity_id     uuid not null,
  edited_at       timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade,
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade
);
create index ticket_notes_of_ticket on ticket_notes (organization_id, livemode, ticket_id, id);
create index ticket_notes_of_contact on ticket_notes (organization_id, livemode, contact_id);
call protect_tenant_table('ticket_notes');

create table saved_replies (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  name            text not null check (name <> ''),
  body            text not null,
  -- Null for a shared one; a private one leaves with its member.
  owner_id        uuid,
  use_count       bigint not null default 0,
  last_used_at    timestamptz(3),
  -- The attachment; all null without one.
  file_key        text,
  file_name       text,
  mime_type       text,
  size_bytes      bigint,
  sha256          text,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, owner_id) references members on delete cascade
) with (fillfactor = 80);
create unique index saved_replies_name_is_unique on saved_replies
  (organization_id, livemode, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), lower(name));
create index saved_replies_of_owner on saved_replies (organization_id, owner_id) where owner_id is not null;
call protect_tenant_table('saved_replies');
create trigger remove_file after delete on saved_replies for each row execute function remove_file();
-- A member who leaves takes private replies along in both modes at once: the role of the request would see one.
grant create on schema public to frontdesk_system;
alter function remove_file() security definer set search_path = public, pg_temp;
revoke execute on function remove_file() from public;
alter function remove_file() owner to frontdesk_system;
revoke create on schema public from frontdesk_system;
create trigger audited after insert or delete or update of name, body, owner_id, file_name on saved_replies
  for each row execute function audit_change('saved_reply', 'name body owner_id file_name', 'name');

create table inbox_views (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  name            text not null check (name <> ''),
  -- Null for a shared one; a private one leaves with its member.
  owner_id        uuid,
  filters         jsonb not null,
  position        integer not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, owner_id) references members on delete cascade
);
create index inbox_views_of_owner on inbox_views (organization_id, owner_id) where owner_id is not null;
call protect_tenant_table('inbox_views');
create trigger audited after insert or delete or update of name, owner_id, filters on inbox_views
  for each row execute function audit_change('inbox_view', 'name owner_id filters', 'name');
