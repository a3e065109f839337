-- Adds the questions that agents could not answer, in groups of one meaning. See ADR 73.
create table knowledge_gaps (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  status          text not null default 'open' check (status in ('open', 'answered', 'dismissed')),
  -- The FAQ entry that answers it. Stays when that is deleted.
  document_id     uuid,
  -- When a member answered or dismissed it, and who.
  closed_at       timestamptz(3),
  closed_by       uuid,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id)
);
create index knowledge_gaps_by_status on knowledge_gaps (organization_id, livemode, status, id);
call protect_tenant_table('knowledge_gaps');

-- A gap has no text of its own: erasing its questions leaves nothing behind.
create table gap_questions (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  -- What it was asked in: the message, or the call and its turn. One question is counted once.
  asked_in        text not null,
  -- Null until the job has put it into a group.
  gap_id          uuid,
  -- Null for a call from a browser.
  contact_id      uuid,
  ticket_id       uuid,
  call_id         uuid,
  agent_id        uuid,
  text            text not null,
  reason          text not null check (reason in ('not_found', 'handed_off')),
  -- 32-bit floats; null where no model embedded it.
  vector          bytea,
  embedding_model text,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, gap_id) references knowledge_gaps on delete cascade,
  foreign key (organization_id, livemode, contact_id) references contacts on delete cascade
);
create unique index gap_questions_asked_once on gap_questions (organization_id, livemode, asked_in);
create index gap_questions_of_gap on gap_questions (organization_id, livemode, gap_id, id);
create index gap_questions_of_contact on gap_questions (organization_id, livemode, contact_id) where contact_id is not null;
call protect_tenant_table('gap_questions');
create policy within_access on gap_questions as restrictive to frontdesk_limited
  using ((ticket_id is null or exists (select from tickets t where t.id = gap_questions.ticket_id))
    and (call_id is null or exists (select from calls c where c.id = gap_questions.call_id)))
  with check (true);

-- A gap goes with its last question. Locks the gaps first: of two transactions that delete the last two questions, the
-- second sees that none is left.
create function remove_empty_gaps() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from knowledge_gaps g where (g.organization_id, g.livemode, g.id) in
    (select organization_id, livemode, gap_id from gone where gap_id is not null)
    order by g.id for update;
  delete from knowledge_gaps g where (g.organization_id, g.livemode, g.id) in
      (select organization_id, livemode, gap_id from gone where gap_id is not null)
    and not exists (select from gap_questions q where q.organization_id = g.organization_id and q.livemode = g.livemode
      and q.gap_id = g.id);
  return null;
end $$;
revoke execute on function remove_empty_gaps() from public;
grant create on schema public to frontdesk_system;
alter function remove_empty_gaps() owner to frontdesk_system;
revoke create on schema public from frontdesk_system;
create trigger remove_empty_gaps after delete on gap_questions referencing old table as gone
  for each statement execute function remove_empty_gaps();
