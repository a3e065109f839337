import Type from 'typebox'
import type { TenantTx } from '../../../platform/database.ts'
import type { MergedPair } from '../../../platform/personal-data.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { Ticket } from './schema.ts'
import { ticketColumns } from './ticket-queries.ts'

const Locked = Type.Object({
  id: Type.String(),
  contact_id: Type.String(),
  status: Type.String(),
  copied_from: Nullable(Type.String()),
})

/** Oldest first; ids are in order of time. */
export const lockTicketsOf = (tx: TenantTx, contactIds: string[]) =>
  tx.all(Locked)`
    select id, contact_id, status, copied_from from tickets where contact_id = any(${contactIds}::uuid[]) order by id for update`

export const moveTickets = (tx: TenantTx, { from, into }: MergedPair) =>
  tx.run`
    update tickets set contact_id = ${into}, updated_at = now(),
      contact_text = coalesce((select search_text from contacts where id = ${into}), ''),
      ai_handling = coalesce((select ai_handling from contacts where id = ${into}), true)
    where contact_id = ${from}`

/**
 * Moves all messages, notes and scheduled messages of these tickets to another one, with what the tickets keep of them.
 * A request for a rating that is not answered yet is passed on with its message, so that a tap still finds its ticket.
 */
export const joinTickets = (tx: TenantTx, into: string, emptied: string[]) =>
  Promise.all([
    tx.run`
      update tickets set message_count = tickets.message_count + other.messages,
        unread_count = tickets.unread_count + other.unread,
        channel_id = case when other.last_message_at >= coalesce(tickets.last_message_at, '-infinity')
          then other.channel_id else coalesce(tickets.channel_id, other.channel_id) end,
        last_message_at = greatest(tickets.last_message_at, other.last_message_at),
        last_activity_at = greatest(tickets.last_activity_at, other.last_activity_at),
        created_at = least(tickets.created_at, other.created_at),
        assignee_id = coalesce(tickets.assignee_id, other.assignee_id), team_id = coalesce(tickets.team_id, other.team_id),
        rating_requested_at = coalesce(tickets.rating_requested_at, (other.asked).rating_requested_at),
        rating_message_id = coalesce(tickets.rating_message_id, (other.asked).rating_message_id),
        priority = greatest(tickets.priority, other.priority),
        tags = tickets.tags || array(select unnest(other.tags) except select unnest(tickets.tags) order by 1),
        waiting_since = case when tickets.status = 'open' then least(tickets.waiting_since, other.waiting_since) end,
        snoozed_until = case when other.waiting_since is null then tickets.snoozed_until end, updated_at = now()
      from (
        select sum(message_count)::integer as messages, sum(unread_count)::integer as unread,
          max(last_message_at) as last_message_at, max(last_activity_at) as last_activity_at,
          min(created_at) as created_at, max(priority) as priority, min(waiting_since) as waiting_since,
          array(select distinct unnest(t.tags) from tickets t where t.id = any(${emptied}::uuid[])) as tags,
          (array_agg(channel_id order by last_message_at desc nulls last))[1] as channel_id,
          (array_agg(assignee_id order by id) filter (where assignee_id is not null))[1] as assignee_id,
          (array_agg(team_id order by id) filter (where team_id is not null))[1] as team_id,
          (array_agg(gone order by id) filter (where rating_message_id is not null and rating is null))[1] as asked
        from tickets gone where id = any(${emptied}::uuid[])) other
      where tickets.id = ${into}`,
    tx.run`update messages set ticket_id = ${into} where ticket_id = any(${emptied}::uuid[])`,
    tx.run`update ticket_notes set ticket_id = ${into} where ticket_id = any(${emptied}::uuid[])`,
    tx.run`update scheduled_messages set ticket_id = ${into} where ticket_id = any(${emptied}::uuid[])`,
  ])

/** They are no longer the conversation that messages of the WhatsApp Business app are copied to. */
export const detachCopies = (tx: TenantTx, ids: string[]) =>
  tx.run`update tickets set copied_from = null where id = any(${ids}::uuid[])`

export const closeEmptied = (tx: TenantTx, ids: string[]) =>
  tx.all(Ticket)`
    update tickets set status = 'closed', message_count = 0, unread_count = 0, last_message_at = null, waiting_since = null,
      snoozed_until = null, updated_at = now()
    where id = any(${ids}::uuid[])
    returning ${ticketColumns}`
