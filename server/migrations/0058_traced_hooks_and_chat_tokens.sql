-- Stored webhooks keep the trace of their request, and tokens of chat answers are counted by month.
alter table incoming_hooks add column traceparent text;

create table chat_tokens (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  -- Its first day, in UTC.
  month           date not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  primary key (organization_id, livemode, month)
);
call protect_tenant_table('chat_tokens');
