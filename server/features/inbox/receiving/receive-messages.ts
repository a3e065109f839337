import { type TenantTx, TryAgain } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import type { Contact } from '../../contacts/schema.ts'
import { findSenders } from '../../contacts/senders/find-senders.ts'
import { recordActivities } from '../../contacts/timeline/record-activity.ts'
import { messageReceived } from '../events.ts'
import { previewOf } from '../messages/message-preview.ts'
import { findMessages } from '../messages/message-queries.ts'
import { findTaps, recordRatings } from '../ratings/record-ratings.ts'
import { openTickets } from '../tickets/open-ticket.ts'
import { addMessageCounts } from '../tickets/ticket-queries.ts'
import { applyConsent } from './apply-consent.ts'
import { fetchFiles } from './fetch-files.ts'
import type { InboundMessage, Receiving } from './inbound-message.ts'
import { type CampaignReply, linkReplies } from './link-replies.ts'
import { findErased, onePerId, withoutKnown } from './new-messages.ts'
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
  // Before contacts are looked up: a repeated message must not create a contact for a number that its sender has given
  // up since.
  const [unknown, erased] = await Promise.all([
    withoutKnown(tx, onePerId(given)),
    findErased(tx, secrets, given, senderOf),
  ])
  const fresh = unknown.filter((message) => !erased.has(message))
  if (fresh.length === 0) return []
  const contacts = await findSenders(
    tx,
    fresh.map(({ sender }) => sender),
    { personalData },
  )
  const contactOf = new Map(fresh.map((message, i) => [message, contacts[i] as Contact]))
  // A transaction that stored one of these in the meantime held the contact's lock, which is ours now: check again.
  const [wanted, erasedMeanwhile] = await Promise.all([
    withoutKnown(tx, fresh),
    findErased(tx, secrets, fresh, senderOf),
  ])
  // Their contact was erased while this transaction waited for it, and was created again: roll that back.
  if (erasedMeanwhile.size > 0) throw new TryAgain('a sender was erased')
  const contactIdOf = (message: InboundMessage) => contactOf.get(message)?.id as string
  const taps = await findTaps(tx, wanted, contactIdOf)
  const tickets = await openTickets(tx, [
    ...new Set(wanted.filter((message) => !taps.has(message)).map((message) => contactIdOf(message))),
  ])
  const rows = wanted.map((message): InboundRow => {
    const contactId = contactIdOf(message)
    const tap = taps.get(message)
    const ticketId = tap?.ticketId ?? (tickets.get(contactId)?.id as string)
    return { ...message, id: newId(), contactId, ticketId, ...(tap && { tap }) }
  })
  const added = new Set((await insertInbound(tx, rows)).map(({ id }) => id))
  const stored = rows.filter(({ id }) => added.has(id))
  if (stored.length === 0) return []
  await fetchFiles(tx, stored)
  await Promise.all([
    addMessageCounts(tx, ticketUpdatesOf(stored)),
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
    findMessages(tx, [...added], mediaAddress).then((messages) => emitMany(tx, messageReceived, messages)),
  ])
  await recordRatings(
    tx,
    stored.flatMap(({ tap, at }) => (tap ? [{ ...tap, at }] : [])),
  )
  await applyConsent(tx, stored)
  return linkReplies(tx, stored)
}

const senderOf = ({ sender }: InboundMessage) => sender

function lastOfEach(rows: InboundRow[], key: (row: InboundRow) => string): InboundRow[] {
  const last = new Map<string, InboundRow>()
  for (const row of rows) if (!(row.at < (last.get(key(row))?.at ?? ''))) last.set(key(row), row)
  return [...last.values()]
}

function ticketUpdatesOf(rows: InboundRow[]) {
  const byTicket = Map.groupBy(rows, ({ ticketId }) => ticketId)
  return lastOfEach(rows, ({ ticketId }) => ticketId).map(({ ticketId, channelId, at }) => {
    const added = byTicket.get(ticketId) ?? []
    // A rating needs no reply.
    const unread = added.filter(({ tap }) => !tap).length
    return { ticketId, channelId, messages: added.length, unread, at }
  })
}
