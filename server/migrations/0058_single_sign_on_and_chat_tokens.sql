-- Sessions by single sign-on, the trace of stored webhooks, and the tokens of chat answers by month.
alter table sessions drop constraint sessions_signed_in_by_check;
alter table sessions add constraint sessions_signed_in_by_check
  check (signed_in_by in ('password', 'link', 'invitation', 'passkey', 'single_sign_on'));

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
