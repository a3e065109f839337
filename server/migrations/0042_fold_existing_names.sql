-- In batches: each is a transaction of its own, so that no lock outlives a thousand contacts. Writes and reads go on.
-- Only contacts whose names have something to fold are written, by their trigger; another one brings the copy in their
-- tickets up to date. As the role that sees every organization: an owner that is no superuser sees none. A batch that
-- waits for a request lets go before the server would end either of the two as a deadlock, after a second.
do $$
declare
  last_organization uuid := '00000000-0000-0000-0000-000000000000';
  last_livemode boolean := false;
  last_id uuid := '00000000-0000-0000-0000-000000000000';
begin
  set role frontdesk_system;
  set lock_timeout = '500ms';
  loop
    begin
      with batch as materialized (
        select organization_id, livemode, id from contacts
        where (organization_id, livemode, id) > (last_organization, last_livemode, last_id)
        order by organization_id, livemode, id limit 1000
      ), folded as (
        update contacts c set name = c.name from batch
        where c.organization_id = batch.organization_id and c.livemode = batch.livemode and c.id = batch.id
          and c.search_text <> fold_text(c.name) || ' ' || c.phone_number
      )
      select organization_id, livemode, id into last_organization, last_livemode, last_id from batch
      order by organization_id desc, livemode desc, id desc limit 1;
      exit when not found;
    exception when lock_not_available or deadlock_detected then
      raise notice 'Contacts are in use; their names are folded when they are free';
      perform pg_sleep(0.2);
    end;
    commit;
  end loop;
  reset lock_timeout;
  reset role;
end $$;
