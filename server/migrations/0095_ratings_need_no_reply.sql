-- A rating is no message that waits for a reply: it starts no target, no assignment and no wait.
create function is_rating(message messages, ticket tickets) returns boolean language sql stable as $$
  select ticket.rating_message_id is not null
    and coalesce(message.payload #>> '{interactive,button_reply,id}', '') like 'rating-%'
    and message.context_message_id = (select request.chat_message_id from messages request
      where request.organization_id = ticket.organization_id and request.livemode = ticket.livemode
        and request.id = ticket.rating_message_id)
$$;

create or replace function unanswered_since(ticket tickets, with_ai boolean) returns timestamptz language sql stable as $$
  select min(m.created_at) from messages m
  where m.organization_id = ticket.organization_id and m.livemode = ticket.livemode and m.ticket_id = ticket.id
    and m.direction = 'inbound'
    and m.id > coalesce((last_reply(ticket, with_ai)).id, '00000000-0000-0000-0000-000000000000')
    and not coalesce(is_rating(m, ticket), false)
$$;
