import Type from 'typebox'
import type { SystemTx, TenantSql, TenantTx } from '../../../platform/database.ts'
import type { StoredEvent } from '../../../platform/events.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { Ticket } from '../tickets/schema.ts'
import { ticketColumns } from '../tickets/ticket-queries.ts'
import type { Rating } from './rating.ts'

const Closed = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id })

/** Of these closed tickets those whose contact is to be asked. */
export function findToAsk(tx: SystemTx, closings: StoredEvent[]) {
  const ids = closings.map(({ data }) => (data.object as Ticket).id)
  return tx.all(Closed)`
    select distinct t.organization_id, t.livemode, t.id
    from unnest(${closings.map(({ organization_id }) => organization_id)}::uuid[],
        ${closings.map(({ livemode }) => livemode)}::boolean[], ${ids}::uuid[]) closed (organization_id, livemode, id)
      join tickets t on t.organization_id = closed.organization_id and t.livemode = closed.livemode and t.id = closed.id
      join channels c on c.organization_id = t.organization_id and c.livemode = t.livemode and c.id = t.channel_id
    where c.asks_for_rating and c.deleted_at is null and t.rating_requested_at is null and t.status = 'closed'
      and t.message_count > 0`
}

const ToAsk = Type.Object({ language: Nullable(Type.String()) })

/** The language of the channel's agent; no row if the contact is no longer to be asked. */
export const findRequest = (tx: TenantSql, ticketId: string) =>
  tx.maybe(ToAsk)`
    select (select a.config ->> 'language' from agents a where a.id = c.agent_id) as language
    from tickets t join channels c on c.id = t.channel_id
    where t.id = ${ticketId} and t.status = 'closed' and t.rating_requested_at is null and c.asks_for_rating
      and c.deleted_at is null`

/** Returns 0 if the ticket was reopened or asked about since. */
export const markRequested = (tx: TenantTx, ticketId: string, messageId: string) =>
  tx.run`
    update tickets set rating_requested_at = now(), rating_message_id = ${messageId}
    where id = ${ticketId} and status = 'closed' and rating_requested_at is null`

const Tapped = Type.Object({ channel_id: Id, chat_message_id: Type.String(), ticket_id: Id, contact_id: Id })

/** The tickets whose rating was requested by these messages. */
export const findRequested = (tx: TenantTx, requests: { channelId: string; chatMessageId: string }[]) =>
  tx.all(Tapped)`
    select m.channel_id, m.chat_message_id, t.id as ticket_id, t.contact_id
    from unnest(${requests.map(({ channelId }) => channelId)}::uuid[],
        ${requests.map(({ chatMessageId }) => chatMessageId)}::text[]) request (channel_id, chat_message_id)
      join messages m on m.channel_id = request.channel_id and m.chat_message_id = request.chat_message_id
        and m.chat_message_id <> ''
      join tickets t on t.id = m.ticket_id and t.rating_message_id = m.id`

/** A later tap replaces an earlier one, in whatever order they arrive. */
export const storeRating = (tx: TenantTx, { ticketId, rating, at }: { ticketId: string; rating: Rating; at: string }) =>
  tx.maybe(Ticket)`
    update tickets set rating = ${rating}, rated_at = ${at}, updated_at = now()
    where id = ${ticketId} and coalesce(rated_at <= ${at}, true)
    returning ${ticketColumns}`
