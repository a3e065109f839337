-- Adds keys of organizations for their own accounts at providers, and the tokens that those accounts pay for.
create table provider_keys (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  provider        text not null,
  -- encrypted with SECRET_KEY
  sealed_key      bytea not null,
  last_four       text not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, provider)
);
call protect_tenant_table('provider_keys');
create trigger audited after insert or delete or update on provider_keys
  for each row execute function audit_change('provider_key', 'provider last_four sealed_key', 'provider');

-- Part of the other two.
alter table chat_tokens
  add column own_key_input_tokens bigint not null default 0,
  add column own_key_output_tokens bigint not null default 0;
