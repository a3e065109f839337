import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { recordActivities } from '../../contacts/timeline/record-activity.ts'
import { messageReceived } from '../events.ts'
import { previewOf } from '../messages/message-preview.ts'
import { findMessages } from '../messages/message-queries.ts'
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
 * repeats is processed once. Returns which of them reply to a campaign.
 */
export async function receiveMessages(
  tx: TenantTx,
  given: InboundMessage[],
  { mediaAddress, secrets, personalData }: Receiving,
): Promise<CampaignReply[]> {
  const { messages, contactIdOf } = await findNew(tx, given, {
    secrets,
    personOf: ({ sender }) => sender,
    personalData,
  })
  if (messages.length === 0) return []
  const tickets = await openTickets(tx, [...new Set(messages.map(contactIdOf))])
  const rows = messages.map((message): InboundRow => {
    const contactId = contactIdOf(message)
    return { ...message, id: newId(), contactId, ticketId: tickets.get(contactId)?.id as string }
  })
  const added = new Set((await insertInbound(tx, rows)).map(({ id }) => id))
  const stored = rows.filter(({ id }) => added.has(id))
  if (stored.length === 0) return []
  await fetchFiles(tx, stored)
  await Promise.all([
    addMessageCounts(tx, ticketUpdatesOf(stored)),
    wakeTickets(tx, [...new Set(stored.map(({ ticketId }) => ticketId))], { isDue: false }),
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
  await applyConsent(tx, stored)
  return linkReplies(tx, stored)
}

function lastOfEach(rows: InboundRow[], key: (row: InboundRow) => string): InboundRow[] {
  const last = new Map<string, InboundRow>()
  for (const row of rows) if (!(row.at < (last.get(key(row))?.at ?? ''))) last.set(key(row), row)
  return [...last.values()]
}

function ticketUpdatesOf(rows: InboundRow[]) {
  const byTicket = Map.groupBy(rows, ({ ticketId }) => ticketId)
  return lastOfEach(rows, ({ ticketId }) => ticketId).map(({ ticketId, channelId, at }) => {
    const messages = byTicket.get(ticketId)?.length ?? 0
    return { ticketId, channelId, messages, unread: messages, at, from: 'contact' as const }
  })
}
