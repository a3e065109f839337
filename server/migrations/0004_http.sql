-- First answers to requests that carried an Idempotency-Key, kept for a day.
create table idempotency_keys (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  route           text not null,
  key             text not null,
  request_hash    bytea not null,
  status          smallint not null,
  body            text not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, route, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
call protect_tenant_table('idempotency_keys');

-- One row for each limit and caller in use. Unlogged: after a crash every window simply starts anew.
create unlogged table rate_limit_windows (
  bucket     text primary key,
  started_at timestamptz(3) not null,
  used       bigint not null
) with (fillfactor = 50);
grant select, insert, update, delete on rate_limit_windows to frontdesk_system;
