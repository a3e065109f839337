import type { TenantTx } from '../../../platform/database.ts'
import { idAt } from '../../../platform/ids.ts'
import { applyConsent } from '../receiving/apply-consent.ts'
import { fetchFiles } from '../receiving/fetch-files.ts'
import type { Receiving } from '../receiving/inbound-message.ts'
import { findNew } from '../receiving/new-messages.ts'
import { type AppMessage, type AppMessageRow, contactOf } from './app-message.ts'
import { countCopiedMessages, fillPlaceholders, insertAppMessages, openCopiedTickets } from './queries.ts'

/**
 * Copies messages from before the number was connected into one closed conversation for each contact and channel. They
 * are history: no event, no activity, nothing unread, no open window. Their ids carry their own time, so that daily
 * figures and retention count them where they belong. Repeated and reordered chunks add each message once.
 */
export async function copyHistory(tx: TenantTx, given: AppMessage[], { secrets }: Receiving): Promise<void> {
  if (given.length === 0) return
  // The file of a message may arrive before its placeholder: the message with more content is the one to keep.
  const fullest = given.toSorted((a, b) => Number(isPlaceholder(a)) - Number(isPlaceholder(b)))
  const { messages, ownerOf } = await findNew<AppMessage>(tx, fullest.filter(hasContact), {
    secrets,
    personOf: contactOf,
    keepsNumbers: true,
  })
  if (messages.length > 0) await addMessages(tx, messages, (message) => ownerOf(message).id)
  const isNew = new Set(messages)
  const known = fullest.filter((message) => message.media && !isNew.has(message))
  if (known.length === 0) return
  const filled = await fillPlaceholders(tx, known)
  await fetchFiles(
    tx,
    filled.map(({ id, position }) => ({ ...(known[position - 1] as AppMessage), id })),
  )
}

/** A file without a recipient only completes a message that is known. */
const hasContact = ({ contact }: AppMessage) => contact.phoneNumber !== null || contact.userId !== null

const isPlaceholder = ({ payload }: AppMessage) => payload?.type === 'media_placeholder'

async function addMessages(
  tx: TenantTx,
  messages: AppMessage[],
  contactIdOf: (message: AppMessage) => string,
): Promise<void> {
  const keyOf = (contactId: string, channelId: string) => `${contactId} ${channelId}`
  const conversations = [
    ...Map.groupBy(messages, (message) => keyOf(contactIdOf(message), message.channelId)).values(),
  ].map((own) => {
    const [first] = own as [AppMessage]
    const times = own.map(({ at }) => at).sort()
    return {
      id: idAt(new Date(times[0] as string)),
      contactId: contactIdOf(first),
      channelId: first.channelId,
      firstAt: times[0] as string,
      lastAt: times.at(-1) as string,
    }
  })
  const tickets = new Map(
    (await openCopiedTickets(tx, conversations)).map(({ id, contact_id, copied_from }) => [
      keyOf(contact_id, copied_from),
      id,
    ]),
  )
  const rows = messages.map((message): AppMessageRow => {
    const contactId = contactIdOf(message)
    const ticketId = tickets.get(keyOf(contactId, message.channelId)) as string
    return { ...message, id: idAt(new Date(message.at)), contactId, ticketId }
  })
  const added = new Set((await insertAppMessages(tx, rows)).map(({ id }) => id))
  const stored = rows.filter(({ id }) => added.has(id))
  await countCopiedMessages(
    tx,
    [...Map.groupBy(stored, ({ ticketId }) => ticketId)].map(([ticketId, own]) => {
      const times = own.map(({ at }) => at).sort()
      return {
        ticketId,
        messages: own.length,
        firstAt: times[0] as string,
        lastAt: times.at(-1) as string,
      }
    }),
  )
  await fetchFiles(tx, stored)
  // A person who wrote STOP to the app has opted out, whenever it was.
  await applyConsent(
    tx,
    stored.filter(({ direction }) => direction === 'inbound'),
  )
}
