-- Files for the headers of templates: samples for reviewers, and what messages send.
create table template_media (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  format          text not null check (format in ('IMAGE', 'VIDEO', 'DOCUMENT')),
  mime_type       text not null,
  file_name       text not null,
  size_bytes      bigint not null,
  sha256          text not null,
  file_key        text not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id)
);
call protect_tenant_table('template_media');
create trigger remove_file after delete on template_media for each row execute function remove_file();

-- The platform's id of such a file, for each number that has sent it. The platform keeps it for 30 days.
create table template_media_uploads (
  organization_id   uuid not null default current_organization(),
  livemode          boolean not null default current_livemode(),
  media_id          uuid not null,
  phone_number_id   text not null,
  platform_media_id text not null,
  uploaded_at       timestamptz(3) not null default now(),
  primary key (organization_id, livemode, media_id, phone_number_id),
  foreign key (organization_id, livemode, media_id) references template_media on delete cascade
);
call protect_tenant_table('template_media_uploads');
