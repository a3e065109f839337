-- What the simulated platform of test mode remembers: the business accounts, templates, conversations and files on its
-- side of the wire, and the webhooks that a stopped node has not posted yet. The platform's side, so no tenant sees it.
create table simulator_records (
  kind       text not null,
  id         text not null,
  account    text not null,
  data       jsonb not null,
  bytes      bytea,
  -- Tokens and secrets of simulated accounts, encrypted with SECRET_KEY.
  sealed     bytea,
  expires_at timestamptz(3),
  primary key (kind, id)
);
create index simulator_records_of_account on simulator_records (kind, account, id);
create index simulator_records_by_expiry on simulator_records (expires_at) where expires_at is not null;
grant select, insert, update, delete on simulator_records to frontdesk_system;
