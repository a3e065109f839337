-- In batches: copies to existing tickets whether the AI answers their contact, and since when contacts with an open ticket wait
-- for an answer. A thousand tickets in each transaction; writes and reads go on, and triggers cover what is written meanwhile.
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
        select organization_id, livemode, id, contact_id, status from tickets
        where (organization_id, livemode, id) > (last_organization, last_livemode, last_id)
        order by organization_id, livemode, id limit 1000
      ), wanted as materialized (
        select batch.organization_id, batch.livemode, batch.id, c.ai_handling,
          case when batch.status = 'open' and newest.direction = 'inbound' then newest.created_at end as waiting_since
        from batch
          join contacts c on c.organization_id = batch.organization_id and c.livemode = batch.livemode
            and c.id = batch.contact_id
          left join lateral (
            select m.direction, m.created_at from messages m where m.organization_id = batch.organization_id
              and m.livemode = batch.livemode and m.ticket_id = batch.id and batch.status = 'open'
            order by m.created_at desc, m.id desc limit 1) newest on true
      ), filled as (
        update tickets t set ai_handling = wanted.ai_handling,
          waiting_since = coalesce(t.waiting_since, wanted.waiting_since)
        from wanted where t.organization_id = wanted.organization_id and t.livemode = wanted.livemode and t.id = wanted.id
          and (not wanted.ai_handling or wanted.waiting_since is not null)
      )
      select organization_id, livemode, id into last_organization, last_livemode, last_id from batch
      order by organization_id desc, livemode desc, id desc limit 1;
      exit when not found;
    exception when lock_not_available or deadlock_detected then
      raise notice 'Tickets are in use; their columns are filled when they are free';
      perform pg_sleep(0.2);
    end;
    commit;
  end loop;
  reset lock_timeout;
  reset role;
end $$;
