-- Events and calls keep the trace of the request that wrote them (W3C traceparent): webhook deliveries and conversations
-- continue it. Null without tracing. The setting is local to a transaction, like the organization.
alter table events add column traceparent text;
alter table events alter traceparent set default nullif(current_setting('frontdesk.traceparent', true), '');

alter table calls add column traceparent text;
alter table calls alter traceparent set default nullif(current_setting('frontdesk.traceparent', true), '');
