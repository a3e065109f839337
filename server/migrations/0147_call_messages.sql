-- Adds which message an agent sent in which turn of a call, so that a repeated turn sends nothing twice. See ADR 85.
create table call_messages (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  call_id         uuid not null,
  -- How often the caller had spoken before.
  turn            integer not null,
  message_id      uuid not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, call_id, turn),
  foreign key (organization_id, livemode, call_id) references calls on delete cascade
);
call protect_tenant_table('call_messages');
create policy within_access on call_messages as restrictive to frontdesk_limited
  using (exists (select from calls c where c.id = call_messages.call_id)) with check (true);
