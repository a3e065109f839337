-- Files live outside the database. A row that owns one tells by its deletion, in the same transaction, that the file is
-- to be removed; a job removes it afterwards, so that a rollback loses nothing and a cascade forgets nothing.
create table removed_files (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  key             text not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, key)
);
call protect_tenant_table('removed_files');

-- For tables with a column `file_key`: `create trigger … after delete on … for each row execute function remove_file()`.
create function remove_file() returns trigger language plpgsql as $$
begin
  if old.file_key is not null then
    insert into removed_files (organization_id, livemode, key)
    values (old.organization_id, old.livemode, old.file_key) on conflict do nothing;
  end if;
  return null;
end $$;

-- A request that calls out takes its key before it knows its answer.
alter table idempotency_keys alter column status drop not null, alter column body drop not null;
