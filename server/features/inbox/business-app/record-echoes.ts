import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { setHandling } from '../../contacts/set-handling.ts'
import { recordActivities } from '../../contacts/timeline/record-activity.ts'
import { messageSent } from '../events.ts'
import { previewOf } from '../messages/message-preview.ts'
import { findMessages } from '../messages/message-queries.ts'
import { fetchFiles } from '../receiving/fetch-files.ts'
import type { Receiving } from '../receiving/inbound-message.ts'
import { findNew } from '../receiving/new-messages.ts'
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
  const { messages, ownerOf } = await findNew<AppMessage>(tx, given, {
    secrets,
    personOf: contactOf,
    keepsNumbers: true,
  })
  if (messages.length === 0) return []
  const contactIdOf = (message: AppMessage) => ownerOf(message).id
  const ids = [...new Set(messages.map(contactIdOf))]
  const [unaccepted, busy] = isLast ? [[], []] : await Promise.all([findUnacceptedTo(tx, ids), findBusy(ids)])
  const waiting = new Set([...unaccepted.map(({ contact_id }) => contact_id), ...busy])
  const mayBeOurs = (message: AppMessage) => waiting.has(contactIdOf(message))
  await store(
    tx,
    messages.filter((message) => !mayBeOurs(message)),
    { contactIdOf, mediaAddress },
  )
  return messages.filter(mayBeOurs)
}

async function store(
  tx: TenantTx,
  messages: AppMessage[],
  { contactIdOf, mediaAddress }: { contactIdOf(message: AppMessage): string; mediaAddress: string },
): Promise<void> {
  if (messages.length === 0) return
  const tickets = await openTickets(tx, [...new Set(messages.map(contactIdOf))])
  const rows = messages.map((message): AppMessageRow => {
    const contactId = contactIdOf(message)
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
