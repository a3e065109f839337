-- Adds when a ticket was reopened, from which its SLA target for the resolution counts.
alter table tickets add column reopened_at timestamptz(3);
create function note_reopening() returns trigger language plpgsql as $$
begin
  new.reopened_at := now();
  return new;
end $$;
create trigger note_reopening before update on tickets for each row
  when (old.status = 'closed' and new.status = 'open') execute function note_reopening();
