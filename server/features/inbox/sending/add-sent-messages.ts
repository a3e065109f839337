import Type from 'typebox'
import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { Instant, Nullable } from '../../../platform/schemas.ts'
import { recordActivities } from '../../contacts/timeline/record-activity.ts'
import { messageSent } from '../events.ts'
import { previewOf } from '../messages/message-preview.ts'
import { type CampaignReply, linkReplies } from '../receiving/link-replies.ts'
import { findWrittenSince } from '../receiving/reply-queries.ts'
import { Message } from '../schema.ts'
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
  const inserted = await insertSent(
    tx,
    given.map((row) => ({ ...row, ticketId: tickets.get(row.contactId) ?? null })),
  )
  const messages = inserted.map(({ last_inbound_at, ...message }) => message)
  const byTicket = Map.groupBy(
    messages.filter(({ inbox_id }) => inbox_id !== null),
    ({ inbox_id }) => inbox_id as string,
  )
  await Promise.all([
    byTicket.size > 0 &&
      addMessageCounts(
        tx,
        [...byTicket].map(([ticketId, added]) => ({
          ticketId,
          channelId: added.at(-1)?.chat_phone_number_id as string,
          messages: added.length,
          unread: 0,
          at: null,
          from: 'campaign',
        })),
      ),
    recordActivities(
      tx,
      messages.map((message) => ({
        contactId: message.contact_id,
        type: 'message_outbound',
        actor: { type: message.actor_type, id: message.actor_id },
        payload: { message_id: message.id, preview: previewOf(message), ...campaignOf(message) },
      })),
    ),
    emitMany(tx, messageSent, messages),
  ])
  const lastInbound = new Map(inserted.map(({ id, last_inbound_at }) => [id, last_inbound_at ?? '']))
  const overtaken = given.filter(({ id, since }) => (lastInbound.get(id) ?? '') >= since)
  return overtaken.length === 0 ? [] : linkReplies(tx, await findWrittenSince(tx, overtaken))
}

const campaignOf = ({ payload }: Message) => (payload?.campaign_id ? { campaign_id: payload.campaign_id } : {})

const Inserted = Type.Object({ ...Message.properties, last_inbound_at: Nullable(Instant) })

const insertSent = (tx: TenantTx, rows: (SentMessage & { ticketId: string | null })[]) =>
  tx.all(Inserted)`
    insert into messages (id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body, status,
      payload, actor_type, actor_id, accepted_at)
    select id, ticket_id, contact_id, channel_id, chat_message_id, 'outbound', 'text', body, 'sent', payload, actor_type,
      actor_id, now()
    from rows from (unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ ticketId }) => ticketId)}::uuid[],
      ${rows.map(({ contactId }) => contactId)}::uuid[], ${rows.map(({ channelId }) => channelId)}::uuid[],
      ${rows.map(({ chatMessageId }) => chatMessageId)}::text[], ${rows.map(({ body }) => body)}::text[],
      ${rows.map(({ actor }) => actor.type)}::text[], ${rows.map(({ actor }) => actor.id)}::uuid[]),
      jsonb_array_elements(${JSON.stringify(rows.map(({ payload }) => payload))}::jsonb))
      row (id, ticket_id, contact_id, channel_id, chat_message_id, body, actor_type, actor_id, payload)
    on conflict do nothing
    returning id, ticket_id as inbox_id, organization_id, contact_id, channel_id as chat_phone_number_id, chat_message_id,
      direction, message_type, body, status, error, null as media_url, null as media_mime_type, null as media_filename,
      null as media_size, context_message_id, reactions, null as edited_at, '[]'::jsonb as edit_history,
      false as edit_text_missing, false as revoked, null as revoked_at, payload, actor_type, actor_id, feedback, livemode, created_at,
      updated_at, (select w.last_inbound_at from chat_windows w
        where w.contact_id = messages.contact_id and w.channel_id = messages.channel_id) as last_inbound_at`
