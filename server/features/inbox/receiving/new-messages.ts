import { type TenantTx, TryAgain } from '../../../platform/database.ts'
import { addressesOf } from '../../contacts/find-person.ts'
import type { Contact } from '../../contacts/schema.ts'
import { type FindingSenders, findSenders } from '../../contacts/senders/find-senders.ts'
import type { Sender } from '../../contacts/senders/sender.ts'
import { type Digest, findErasureTimes } from '../../privacy/erasure/erased-addresses.ts'
import { findKnownMessages } from './receive-queries.ts'

interface Identified {
  channelId: string
  chatMessageId: string
}

const keyOf = ({ channelId, chatMessageId }: Identified) => `${channelId} ${chatMessageId}`

/**
 * The messages that are to be stored, each once, with their contacts, which are created if need be and locked. Messages
 * that are stored already, or are from before their person was erased, create no contact: their number may be another
 * person's now.
 */
export async function findNew<M extends Identified & { at: string }>(
  tx: TenantTx,
  given: M[],
  { secrets, personOf, ...finding }: FindingSenders & { secrets: Digest; personOf(message: M): Sender },
): Promise<{ messages: M[]; ownerOf(message: M): Contact }> {
  const [unknown, erased] = await Promise.all([
    withoutKnown(tx, onePerId(given)),
    findErased(tx, secrets, given, personOf),
  ])
  const fresh = unknown.filter((message) => !erased.has(message))
  const contacts = await findSenders(tx, fresh.map(personOf), finding)
  const ownerOf = new Map(fresh.map((message, i) => [message, contacts[i] as Contact]))
  // A transaction that stored one of these in the meantime held the contact's lock, which is ours now: check again.
  const [messages, erasedMeanwhile] =
    fresh.length > 0
      ? await Promise.all([withoutKnown(tx, fresh), findErased(tx, secrets, fresh, personOf)])
      : [[], erased]
  // Their contact was erased while this transaction waited for it, and was created again: roll that back.
  if (fresh.some((message) => erasedMeanwhile.has(message))) throw new TryAgain('a contact was erased')
  return { messages, ownerOf: (message) => ownerOf.get(message) as Contact }
}

/** Of messages with the same id the first. */
function onePerId<M extends Identified>(messages: M[]): M[] {
  const first = new Map<string, M>()
  for (const message of messages) if (!first.has(keyOf(message))) first.set(keyOf(message), message)
  return [...first.values()]
}

async function withoutKnown<M extends Identified>(tx: TenantTx, messages: M[]): Promise<M[]> {
  const known = new Set(
    (await findKnownMessages(tx, messages)).map(({ channel_id, chat_message_id }) =>
      keyOf({ channelId: channel_id, chatMessageId: chat_message_id }),
    ),
  )
  return messages.filter((message) => !known.has(keyOf(message)))
}

/** What is from before its person was erased: the platform delivers some of it late, or again. */
export async function findErased<M extends { at: string }>(
  tx: TenantTx,
  secrets: Digest,
  items: M[],
  personOf: (item: M) => Pick<Sender, 'phoneNumber' | 'userId'>,
): Promise<Set<M>> {
  const addresses = items.map(personOf).map(({ phoneNumber, userId }) => addressesOf(phoneNumber, userId))
  const times = await findErasureTimes(tx, secrets, addresses)
  return new Set(items.filter(({ at }, i) => at <= (times[i] ?? '')))
}
