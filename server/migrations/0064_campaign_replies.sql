-- Counts who replied to a campaign, and which buttons they tapped.
-- When the recipient first replied, and the labels of the buttons that it tapped, each once.
alter table deliveries add column replied_at timestamptz(3), add column tapped_buttons text[];
alter table delivery_counts add column replied bigint not null default 0;

-- A trigger on this column alone: statements that send messages or record receipts do not set it and pay nothing.
create function count_reply() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as c (organization_id, livemode, campaign_id, shard, pending, sending, sent, delivered, read,
    failed, failed_afterwards, skipped, unknown, replied)
  values (new.organization_id, new.livemode, new.campaign_id, (pg_backend_pid() % 64)::smallint, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
  on conflict (organization_id, livemode, campaign_id, shard) do update set replied = c.replied + 1;
  return null;
end $$;
create trigger count_reply after update of replied_at on deliveries for each row
  when (old.replied_at is null and new.replied_at is not null) execute function count_reply();
