-- In batches: copies the numbers and accounts of existing contacts to their identities, a thousand contacts in each
-- transaction. Writes and reads go on; contacts that are written meanwhile have triggers for it. As the role that sees every
-- organization. A batch that waits for a request lets go before the server would end either of the two as a deadlock.
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
        select organization_id, livemode, id, phone_number, whatsapp_user_id, created_at from contacts
        where (organization_id, livemode, id) > (last_organization, last_livemode, last_id)
        order by organization_id, livemode, id limit 1000 for no key update
      ), filled as (
        insert into contact_identities (organization_id, livemode, contact_id, kind, value, is_primary, since)
        select organization_id, livemode, id, kind, value, true, created_at
        from batch cross join lateral (values ('phone', nullif(phone_number, '')), ('whatsapp_user_id', whatsapp_user_id))
          own (kind, value)
        where value is not null
        on conflict do nothing
      )
      select organization_id, livemode, id into last_organization, last_livemode, last_id from batch
      order by organization_id desc, livemode desc, id desc limit 1;
      exit when not found;
    exception when lock_not_available or deadlock_detected then
      raise notice 'Contacts are in use; their identities are copied when they are free';
      perform pg_sleep(0.2);
    end;
    commit;
  end loop;
  reset lock_timeout;
  reset role;
end $$;
