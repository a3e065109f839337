-- In batches: adds existing tickets to reports; those with events are completed from them. A thousand tickets in each
-- transaction, so that a ticket is locked for a moment only.
do $$
declare
  last_organization uuid := '00000000-0000-0000-0000-000000000000';
  last_livemode boolean := false;
  last_id uuid := '00000000-0000-0000-0000-000000000000';
begin
  set role frontdesk_system;
  loop
    with batch as materialized (
      select * from tickets where (organization_id, livemode, id) > (last_organization, last_livemode, last_id)
      order by organization_id, livemode, id limit 1000
    ), added as (
      insert into reported_conversations (organization_id, livemode, ticket_id, started_at, is_reopened, contact_id,
        channel_id, assignee_id, team_id, ticket_tags, agent_replies, member_replies, is_handed_off, ended_at, rating,
        rated_at)
      select organization_id, livemode, id, created_at, false, contact_id, channel_id, assignee_id, team_id, tags, 0, 0,
        false, case when status = 'closed' then last_activity_at end, rating, rated_at
      from batch where copied_from is null
      on conflict do nothing
    )
    select organization_id, livemode, id into last_organization, last_livemode, last_id from batch
    order by organization_id desc, livemode desc, id desc limit 1;
    exit when not found;
    commit;
  end loop;
  reset role;
end $$;
