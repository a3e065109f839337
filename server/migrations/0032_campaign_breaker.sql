-- The circuit breaker of campaigns judges messages in the order in which they are sent, whenever their outcome becomes known.

-- The place of a delivery in that order, without gaps within its campaign; null for those that are never sent.
alter table deliveries add column send_no integer;
-- How many places were given.
alter table campaigns add column send_numbers integer not null default 0;
-- What was sent before does not count: set when the campaign is resumed.
alter table campaigns add column judged_since timestamptz(3);
alter table campaigns drop column recent_outcomes;

-- Campaigns under way, as the role that sees every organization: an owner that is no superuser sees none.
set role frontdesk_system;
update deliveries d set send_no = numbered.n
from (
  select d.organization_id, d.livemode, d.id,
    row_number() over (partition by d.organization_id, d.livemode, d.campaign_id order by d.id) as n
  from campaigns k join deliveries d on d.organization_id = k.organization_id and d.livemode = k.livemode
    and d.campaign_id = k.id
  where k.status in ('sending', 'paused') and d.status <> 'skipped' and d.code is distinct from 'missing_variable'
) numbered
where d.organization_id = numbered.organization_id and d.livemode = numbered.livemode and d.id = numbered.id;
update campaigns k set judged_since = now(), send_numbers = coalesce((
  select max(d.send_no) from deliveries d
  where d.organization_id = k.organization_id and d.livemode = k.livemode and d.campaign_id = k.id), 0)
where k.status in ('sending', 'paused');
reset role;

-- Small: of most campaigns few messages fail.
create index deliveries_not_sent on deliveries (organization_id, livemode, campaign_id, send_no)
  where status in ('failed', 'unknown');
-- Campaigns that the breaker stopped may have nothing left to send.
create index campaigns_stopped_by_failures on campaigns (started_at) where status = 'paused' and pause_reason = 'failure_rate';
