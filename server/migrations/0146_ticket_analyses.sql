-- Adds what agents find out in closed tickets: a summary, and the results that the agent's settings ask for. See ADR 84.
create table ticket_analyses (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  -- New with each analysis, so that its order is that of time.
  id              uuid not null,
  ticket_id       uuid not null,
  contact_id      uuid not null,
  agent_id        uuid,
  agent_version   integer,
  -- A ticket that was reopened and closed without another message is not analyzed again.
  last_message_id uuid not null,
  summary         text not null,
  summary_by      text,
  results         jsonb,
  closed_at       timestamptz(3) not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, ticket_id) references tickets on delete cascade,
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade
);
create unique index ticket_analyses_of_ticket on ticket_analyses (organization_id, livemode, ticket_id);
create index ticket_analyses_of_contact on ticket_analyses (organization_id, livemode, contact_id, closed_at desc);
call protect_tenant_table('ticket_analyses');
create policy within_access on ticket_analyses as restrictive to frontdesk_limited
  using (exists (select from tickets t where t.id = ticket_analyses.ticket_id)) with check (true);
