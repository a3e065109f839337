import { type TenantTx, TryAgain } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import type { Contact } from '../../contacts/schema.ts'
import { findSenders } from '../../contacts/senders/find-senders.ts'
import { setHandling } from '../../contacts/set-handling.ts'
import { recordActivities } from '../../contacts/timeline/record-activity.ts'
import { messageSent } from '../events.ts'
import { previewOf } from '../messages/message-preview.ts'
import { findMessages } from '../messages/message-queries.ts'
import { fetchFiles } from '../receiving/fetch-files.ts'
import type { Receiving } from '../receiving/inbound-message.ts'
import { findErased, onePerId, withoutKnown } from '../receiving/new-messages.ts'
import { openTickets } from '../tickets/open-ticket.ts'
import { addMessageCounts } from '../tickets/ticket-queries.ts'
import { type AppMessage, type AppMessageRow, contactOf } from './app-message.ts'
import { findUnacceptedTo, insertAppMessages } from './queries.ts'

/** A member who writes in the app has no account here that we know of. */
const person = { type: 'user', id: null } as const

interface Recording extends Receiving {
  /** Which of these contacts a campaign is sending to right now. */
  findBusy(contactIds: string[]): Promise<string[]>
  /** Whether echoes that may be of our own messages are recorded now, because they have waited long enough. */
  isLast: boolean
}

/**
 * Stores messages that a person sent in the WhatsApp Business app as outbound messages of the contact's ticket, and
 * hands the contact off from the AI. The echo of a message that we sent is known by its id. While the id of one of our
 * messages to the same contact is not known yet, the echo may be of that message: such echoes are returned, for a
 * retry.
 */
export async function recordEchoes(tx: TenantTx, given: AppMessage[], deps: Recording): Promise<AppMessage[]> {
  if (given.length === 0) return []
  const { mediaAddress, secrets, findBusy, isLast } = deps
  const [unknown, erased] = await Promise.all([
    withoutKnown(tx, onePerId(given)),
    findErased(tx, secrets, given, contactOf),
  ])
  const fresh = unknown.filter((message) => !erased.has(message))
  if (fresh.length === 0) return []
  const contacts = await findSenders(tx, fresh.map(contactOf), { keepsNumbers: true })
  const contactIdOf = new Map(fresh.map((message, i) => [message, (contacts[i] as Contact).id]))
  // Another transaction that stored one of these held the contact's lock, which is ours now: check again.
  const ids = [...new Set(contactIdOf.values())]
  const [wanted, erasedMeanwhile, unaccepted, busy] = await Promise.all([
    withoutKnown(tx, fresh),
    findErased(tx, secrets, fresh, contactOf),
    isLast ? [] : findUnacceptedTo(tx, ids),
    isLast ? [] : findBusy(ids),
  ])
  if (erasedMeanwhile.size > 0) throw new TryAgain('a contact was erased')
  const waiting = new Set([...unaccepted.map(({ contact_id }) => contact_id), ...busy])
  const mayBeOurs = (message: AppMessage) => waiting.has(contactIdOf.get(message) as string)
  await store(
    tx,
    wanted.filter((message) => !mayBeOurs(message)),
    { contactIdOf, mediaAddress },
  )
  return wanted.filter(mayBeOurs)
}

async function store(
  tx: TenantTx,
  messages: AppMessage[],
  { contactIdOf, mediaAddress }: { contactIdOf: Map<AppMessage, string>; mediaAddress: string },
): Promise<void> {
  if (messages.length === 0) return
  const tickets = await openTickets(tx, [...new Set(messages.map((message) => contactIdOf.get(message) as string))])
  const rows = messages.map((message): AppMessageRow => {
    const contactId = contactIdOf.get(message) as string
    return { ...message, id: newId(), contactId, ticketId: tickets.get(contactId)?.id as string }
  })
  const added = new Set((await insertAppMessages(tx, rows)).map(({ id }) => id))
  const stored = rows.filter(({ id }) => added.has(id))
  await fetchFiles(tx, stored)
  const updates = [...Map.groupBy(stored, ({ ticketId }) => ticketId)].map(([ticketId, own]) => {
    const last = own.reduce((latest, row) => (row.at > latest.at ? row : latest))
    return {
      ticketId,
      channelId: last.channelId,
      messages: own.length,
      unread: 0,
      at: last.at,
      from: 'person' as const,
    }
  })
  // Before the counts: a contact that an agent stops answering waits, until this answer is counted.
  for (const contactId of new Set(stored.map((row) => row.contactId)))
    await setHandling(tx, contactId, {
      aiHandling: false,
      actor: person,
      reason: 'A person answered in the WhatsApp Business app',
    })
  await Promise.all([
    addMessageCounts(tx, updates),
    recordActivities(
      tx,
      stored.map((row) => ({
        contactId: row.contactId,
        type: 'message_outbound',
        actor: person,
        payload: { message_id: row.id, preview: previewOf({ message_type: row.type, body: row.body }) },
      })),
    ),
    findMessages(tx, [...added], mediaAddress).then((sent) => emitMany(tx, messageSent, sent)),
  ])
}
