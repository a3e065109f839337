-- Positions in the event log survive a restore. They are transaction ids, and a restored database counts its transactions
-- from another number: new events would sort before old ones. So an offset is added to every id that is stored or compared.
-- It is 0 until a restore; migrate.ts raises it when stored positions are ahead of the server (see event-positions.ts).
create function event_transaction_offset() returns bigint
  language sql stable parallel safe
  return 0;

create function event_transaction_id() returns xid8
  language sql stable
  return (pg_current_xact_id()::text::bigint + event_transaction_offset())::text::xid8;

-- Every transaction below this one has ended: none of them can add an event.
create function event_horizon() returns xid8
  language sql stable parallel safe
  return (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + event_transaction_offset())::text::xid8;

create function event_snapshot() returns pg_snapshot
  language sql stable parallel safe
  return (
    select format('%s:%s:%s', pg_snapshot_xmin(s)::text::bigint + event_transaction_offset(),
      pg_snapshot_xmax(s)::text::bigint + event_transaction_offset(),
      (select string_agg((id::text::bigint + event_transaction_offset())::text, ',' order by id) from pg_snapshot_xip(s) id)
    )::pg_snapshot
    from pg_current_snapshot() s);

-- New events must not have a position below this one.
create function lowest_free_event_position() returns bigint
  language sql stable
  return greatest(
    (select max(transaction_id)::text::bigint + 1 from events),
    (select max(transaction_id)::text::bigint from event_subscriptions),
    (select max(pg_snapshot_xmax(hears_since)::text::bigint) from webhooks));

alter table events alter transaction_id set default event_transaction_id();
alter table webhooks alter hears_since set default event_snapshot();
