-- Erasures of everything about a person: what was asked for, and afterwards the proof. They hold no personal data.
create table erasures (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  contact_id      uuid not null,
  state           text not null default 'queued' check (state in ('queued', 'running', 'completed')),
  -- Why it could not be done yet.
  error           text,
  requested_by_type text not null check (requested_by_type in ('user', 'ai', 'system')),
  requested_by_id uuid,
  -- Rows by table.
  counts          jsonb not null default '{}',
  file_keys       text[] not null default '{}',
  -- When the rows were gone; the files follow.
  erased_at       timestamptz(3),
  completed_at    timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id)
);
create unique index erasures_one_per_contact on erasures (organization_id, livemode, contact_id);
call protect_tenant_table('erasures');
create trigger audited after insert on erasures for each row execute function audit_change('erasure', 'contact_id');

-- Keyed hashes of the numbers of erased people: a message from before the erasure that arrives late is recognized and dropped.
create table erased_addresses (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  digest          bytea not null,
  erasure_id      uuid not null,
  erased_at       timestamptz(3) not null default now(),
  primary key (organization_id, livemode, digest),
  foreign key (organization_id, livemode, erasure_id) references erasures on delete cascade
);
create index erased_addresses_of_erasure on erased_addresses (organization_id, livemode, erasure_id);
call protect_tenant_table('erased_addresses');

-- Calls and deliveries that were unlinked from a deleted contact are found by their number.
create index calls_unlinked_from on calls (organization_id, livemode, from_number) where contact_id is null and from_number <> '';
create index calls_unlinked_to on calls (organization_id, livemode, to_number) where contact_id is null and to_number <> '';
create index deliveries_unlinked on deliveries (organization_id, livemode, phone_number)
  where contact_id is null and phone_number <> '';
