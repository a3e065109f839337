-- A rating is no message that waits for a reply: it starts no target, no assignment and no wait.
create or replace function unanswered_since(ticket tickets, with_ai boolean) returns timestamptz language sql stable as $$
  select min(m.created_at) from messages m
  where m.organization_id = ticket.organization_id and m.livemode = ticket.livemode and m.ticket_id = ticket.id
    and m.direction = 'inbound'
    and m.id > coalesce((last_reply(ticket, with_ai)).id, '00000000-0000-0000-0000-000000000000')
    and not coalesce(m.payload ? 'rating', false)
$$;
