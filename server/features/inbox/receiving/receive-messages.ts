import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { recordActivities } from '../../contacts/timeline/record-activity.ts'
import { messageReceived } from '../events.ts'
import { blockListJob } from '../jobs.ts'
import { previewOf } from '../messages/message-preview.ts'
import { findMessages } from '../messages/message-queries.ts'
import { findTaps, recordRatings } from '../ratings/record-ratings.ts'
import { openTickets } from '../tickets/open-ticket.ts'
import { addMessageCounts } from '../tickets/ticket-queries.ts'
import { wakeTickets } from '../tickets/wake-tickets.ts'
import { applyConsent } from './apply-consent.ts'
import { fetchFiles } from './fetch-files.ts'
import type { InboundMessage, Receiving } from './inbound-message.ts'
import { type CampaignReply, linkReplies } from './link-replies.ts'
import { findNew } from './new-messages.ts'
import { type InboundRow, insertInbound, updateWindows } from './receive-queries.ts'

/**
 * Stores inbound messages in batches: finds or creates the contact, uses its open ticket or opens one, stores the
 * message, adds the activity, emits the event and enqueues the download of its file. A message that the platform
 * repeats is processed once. Messages of blocked contacts are dropped. Returns which of them reply to a campaign.
 */
export async function receiveMessages(
  tx: TenantTx,
  given: InboundMessage[],
  { mediaAddress, secrets, personalData }: Receiving,
): Promise<CampaignReply[]> {
  const { messages: unseen, ownerOf } = await findNew(tx, given, {
    secrets,
    personOf: ({ sender }) => sender,
    personalData,
  })
  const isBlocked = (message: InboundMessage) => ownerOf(message).blocked_at !== null
  await dropBlocked(
    tx,
    unseen.filter(isBlocked).map((message) => ({ ...message, contactId: ownerOf(message).id })),
  )
  const messages = unseen.filter((message) => !isBlocked(message))
  if (messages.length === 0) return []
  const taps = await findTaps(tx, messages, (message) => ownerOf(message).id)
  const opening = messages.filter((message) => !taps.has(message))
  const tickets = await openTickets(tx, [...new Set(opening.map((message) => ownerOf(message).id))])
  const rows = messages.map((message): InboundRow => {
    const contactId = ownerOf(message).id
    const tap = taps.get(message)
    const ticketId = tap?.ticketId ?? (tickets.get(contactId)?.id as string)
    const rated = tap && { tap, payload: { ...message.payload, rating: tap.rating } }
    return { ...message, id: newId(), contactId, ticketId, ...rated }
  })
  const added = new Set((await insertInbound(tx, rows)).map(({ id }) => id))
  const stored = rows.filter(({ id }) => added.has(id))
  if (stored.length === 0) return []
  await fetchFiles(tx, stored)
  await Promise.all([
    addMessageCounts(tx, ticketUpdatesOf(stored)),
    wakeTickets(tx, [...new Set(stored.filter(({ tap }) => !tap).map(({ ticketId }) => ticketId))], { isDue: false }),
    updateWindows(
      tx,
      lastOfEach(stored, ({ contactId, channelId }) => `${contactId} ${channelId}`),
    ),
    recordActivities(
      tx,
      stored.map((row) => ({
        contactId: row.contactId,
        type: 'message_inbound',
        actor: { type: 'system', id: null },
        payload: { message_id: row.id, preview: previewOf({ message_type: row.type, body: row.body }) },
      })),
    ),
    findMessages(tx, [...added], mediaAddress).then((received) => emitMany(tx, messageReceived, received)),
  ])
  await recordRatings(
    tx,
    stored.flatMap(({ tap, at }) => (tap ? [{ ...tap, at }] : [])),
  )
  await applyConsent(tx, stored)
  return linkReplies(tx, stored)
}

/**
 * Messages of blocked contacts are not stored. A keyword such as STOP counts nevertheless. The 24 hours in which the
 * platform allows to block them begin again.
 */
async function dropBlocked(tx: TenantTx, messages: (InboundMessage & { contactId: string })[]): Promise<void> {
  if (messages.length === 0) return
  await updateWindows(
    tx,
    lastOfEach(messages, ({ contactId, channelId }) => `${contactId} ${channelId}`),
  )
  await applyConsent(tx, messages)
  for (const contactId of new Set(messages.map((message) => message.contactId)))
    await tx.enqueue(blockListJob, { ...tx.scope, contactId })
}

function lastOfEach<R extends { at: string }>(rows: R[], key: (row: R) => string): R[] {
  const last = new Map<string, R>()
  for (const row of rows) if (!(row.at < (last.get(key(row))?.at ?? ''))) last.set(key(row), row)
  return [...last.values()]
}

function ticketUpdatesOf(rows: InboundRow[]) {
  const byTicket = Map.groupBy(rows, ({ ticketId }) => ticketId)
  return lastOfEach(rows, ({ ticketId }) => ticketId).map(({ ticketId, channelId, at }) => {
    const added = byTicket.get(ticketId) ?? []
    // A rating needs no reply.
    const unread = added.filter(({ tap }) => !tap).length
    const from = unread > 0 ? ('contact' as const) : ('rating' as const)
    return { ticketId, channelId, messages: added.length, unread, at, from }
  })
}
