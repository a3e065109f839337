import Type from 'typebox'
import type { TenantTx } from '../../../platform/database.ts'
import { announceEvents } from '../../../platform/events.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import { Id } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { recordActivities } from '../../contacts/timeline/record-activity.ts'
import { messageSent } from '../events.ts'
import { noMedia, outboundJson } from '../messages/message-json.ts'
import { previewOf } from '../messages/message-preview.ts'
import { type CampaignReply, linkReplies } from '../receiving/link-replies.ts'
import { findWrittenSince } from '../receiving/reply-queries.ts'
import { addMessageCounts, findOpenTickets } from '../tickets/ticket-queries.ts'

/** A message that a campaign sent and the platform accepted. */
interface SentMessage {
  id: string
  contactId: string
  channelId: string
  chatMessageId: string
  body: string
  payload: Record<string, unknown>
  actor: Actor
  /** When its campaign started. */
  since: string
}

/**
 * Adds campaign messages in batches: each is added to the contact's timeline and to its open ticket, if there is one.
 * It never opens a ticket. The caller must have locked the contacts in an earlier statement, so that this one sees what
 * was committed while it waited for the lock. Returns replies that arrived before the message was recorded.
 */
export async function addSentMessages(tx: TenantTx, given: SentMessage[]): Promise<CampaignReply[]> {
  if (given.length === 0) return []
  const ids = [...new Set(given.map(({ contactId }) => contactId))]
  const tickets = new Map((await findOpenTickets(tx, ids)).map(({ id, contact_id }) => [contact_id, id]))
  const rows = given.map((row) => ({ ...row, ticketId: tickets.get(row.contactId) ?? null, eventId: newId() }))
  announceEvents(tx, messageSent)
  const exceptions = new Map((await insertSent(tx, rows)).map(({ id, is_added }) => [id, is_added]))
  const added = rows.filter(({ id }) => exceptions.get(id) !== false)
  const byTicket = Map.groupBy(added, ({ ticketId }) => ticketId)
  byTicket.delete(null)
  await Promise.all([
    byTicket.size > 0 &&
      addMessageCounts(
        tx,
        [...byTicket].map(([ticketId, own]) => ({
          ticketId: ticketId as string,
          channelId: own.at(-1)?.channelId as string,
          messages: own.length,
          unread: 0,
          at: null,
          from: 'campaign',
        })),
      ),
    recordActivities(
      tx,
      added.map(({ id, contactId, actor, body, payload }) => ({
        contactId,
        type: 'message_outbound',
        actor,
        payload: { message_id: id, preview: previewOf({ message_type: 'text', body }), ...campaignOf(payload) },
      })),
    ),
  ])
  const overtaken = added.filter(({ id }) => exceptions.has(id))
  return overtaken.length === 0 ? [] : linkReplies(tx, await findWrittenSince(tx, overtaken))
}

const campaignOf = ({ campaign_id }: SentMessage['payload']) => (campaign_id ? { campaign_id } : {})

const Exception = Type.Object({ id: Id, is_added: Type.Boolean() })

/**
 * Inserts the messages and their events. Returns those that were not added, because the channel has a message with the
 * platform's id already, and those whose contact has written on the channel since the campaign started.
 */
const insertSent = (tx: TenantTx, rows: (SentMessage & { ticketId: string | null; eventId: string })[]) =>
  tx.all(Exception)`
    with given as materialized (
      select * from rows from (unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ ticketId }) => ticketId)}::uuid[],
        ${rows.map(({ contactId }) => contactId)}::uuid[], ${rows.map(({ channelId }) => channelId)}::uuid[],
        ${rows.map(({ chatMessageId }) => chatMessageId)}::text[], ${rows.map(({ body }) => body)}::text[],
        ${rows.map(({ actor }) => actor.type)}::text[], ${rows.map(({ actor }) => actor.id)}::uuid[],
        ${rows.map(({ since }) => since)}::timestamptz[], ${rows.map(({ eventId }) => eventId)}::uuid[]),
        jsonb_array_elements(${JSON.stringify(rows.map(({ payload }) => payload))}::jsonb))
        given (id, ticket_id, contact_id, channel_id, chat_message_id, body, actor_type, actor_id, since, event_id, payload)
    ), added as (
      insert into messages (id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body, status,
        payload, actor_type, actor_id, accepted_at)
      select id, ticket_id, contact_id, channel_id, chat_message_id, 'outbound', 'text', body, 'sent', payload, actor_type,
        actor_id, now()
      from given
      on conflict do nothing
      returning *
    ), emitted as (
      insert into events (id, type, data)
      select given.event_id, ${messageSent.type}, jsonb_build_object('object', ${outboundJson({
        media: noMedia,
        reactions: sql`null`,
        createdAt: sql`moment`,
        updatedAt: sql`moment`,
      })})
      from (select iso(now()::timestamptz(3)) as moment offset 0) now, added m join given using (id)
    )
    select given.id, added.id is not null as is_added
    from given left join added using (id)
    where added.id is null or given.since <= (
      select w.last_inbound_at from chat_windows w
      where w.contact_id = given.contact_id and w.channel_id = given.channel_id)`
