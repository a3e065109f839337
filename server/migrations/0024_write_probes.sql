-- Whether the database still has room to write: `/readyz` inserts one row of nearly a page and rolls it back. Stored as it
-- is, in place, so that each probe needs a page. Unlogged: a probe costs no write-ahead log, and a crash may empty the table.
create unlogged table write_probes (filler bytea not null);
alter table write_probes alter filler set storage plain;
grant insert on write_probes to frontdesk_system;
