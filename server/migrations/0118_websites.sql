-- Websites whose pages become documents, and what each page was when it was last requested.
create table websites (
  organization_id  uuid not null default current_organization() references organizations on delete cascade,
  livemode         boolean not null default current_livemode(),
  id               uuid not null,
  url              text not null,
  kind             text not null check (kind in ('page', 'site', 'sitemap')),
  -- Where the start page was found; differs from that of `url` after a redirect, such as from http to https.
  origin           text not null,
  -- Patterns of paths, with `*`.
  include          text[] not null default '{}',
  exclude          text[] not null default '{}',
  max_pages        integer not null,
  max_depth        integer not null,
  schedule         text not null check (schedule in ('off', 'daily', 'weekly', 'monthly')),
  status           text not null default 'waiting' check (status in ('waiting', 'crawling', 'idle', 'stopped', 'failed')),
  error            text,
  -- The crawl that runs, or the last one.
  crawl_id         uuid not null,
  -- What robots.txt said in this crawl; null until it was read.
  robots           text,
  started_at       timestamptz(3),
  crawled_at       timestamptz(3),
  next_crawl_at    timestamptz(3),
  -- Of this crawl.
  pages_changed    integer not null default 0,
  pages_removed    integer not null default 0,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id)
) with (fillfactor = 80);
create unique index websites_url_is_unique on websites (organization_id, livemode, kind, md5(url));
create index websites_due on websites (next_crawl_at) where next_crawl_at is not null;
create index websites_crawling on websites (updated_at) where status in ('waiting', 'crawling');
call protect_tenant_table('websites');
create trigger audited after insert or delete or update of include, exclude, max_pages, max_depth, schedule on websites
  for each row execute function audit_change('website', 'url kind include exclude max_pages max_depth schedule', 'url');

create table website_pages (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  website_id      uuid not null,
  id              uuid not null,
  url             text not null,
  -- The address with its numbers and parameters left out: an endless calendar has one.
  shape           text not null,
  depth           integer not null,
  -- Redirects that led here.
  hops            integer not null default 0,
  -- The last crawl that found it.
  crawl_id        uuid not null,
  status          text not null default 'queued' check (status in ('queued', 'read', 'failed', 'skipped')),
  -- Why it failed or was skipped.
  reason          text,
  attempts        integer not null default 0,
  due_at          timestamptz(3) not null default now(),
  document_id     uuid,
  etag            text,
  last_modified   text,
  text_hash       text,
  fetched_at      timestamptz(3),
  primary key (organization_id, livemode, website_id, id),
  foreign key (organization_id, livemode, website_id) references websites on delete cascade,
  foreign key (organization_id, livemode, document_id) references documents on delete set null (document_id)
) with (fillfactor = 80);
create unique index website_pages_url_is_unique on website_pages (organization_id, livemode, website_id, md5(url));
create index website_pages_of_crawl on website_pages (organization_id, livemode, website_id, crawl_id, status, depth, id);
create index website_pages_of_document on website_pages (organization_id, livemode, document_id) where document_id is not null;
call protect_tenant_table('website_pages');

-- One request per host at a time, over all organizations.
create table web_hosts (
  host            text primary key,
  leased_until    timestamptz(3) not null default now(),
  next_request_at timestamptz(3) not null default now()
);
grant select, insert, update, delete on web_hosts to frontdesk_system;

-- A crawl deletes pages by the hundred; the log has the website.
drop trigger audited on documents;
create trigger audited after delete on documents for each row
  when (old.source ->> 'kind' is distinct from 'web_page') execute function audit_change('document', 'file_name', 'file_name');
