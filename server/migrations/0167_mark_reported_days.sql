-- Marks the days of existing conversations, which are packed in the background. Apart from the triggers, so that writes
-- to contacts do not wait while all conversations are read.
set role frontdesk_system;
insert into stale_report_days (organization_id, livemode, day)
select distinct organization_id, livemode, (ended_at at time zone 'UTC')::date
from reported_conversations where ended_at is not null;
reset role;
