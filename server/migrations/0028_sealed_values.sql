-- Secrets of the installation itself, sealed with SECRET_KEY. The key of digests is here so that digests which are stored or
-- known to others stay the same when SECRET_KEY is replaced.
create table sealed_values (
  name         text primary key,
  sealed_value bytea not null
);
grant select, insert, update, delete on sealed_values to frontdesk_system;
