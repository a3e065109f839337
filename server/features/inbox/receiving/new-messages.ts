import type { TenantTx } from '../../../platform/database.ts'
import { addressesOf } from '../../contacts/find-person.ts'
import type { Sender } from '../../contacts/senders/find-senders.ts'
import { type Digest, findErasureTimes } from '../../privacy/erasure/erased-addresses.ts'
import { findKnownMessages } from './receive-queries.ts'

interface Identified {
  channelId: string
  chatMessageId: string
}

const keyOf = ({ channelId, chatMessageId }: Identified) => `${channelId} ${chatMessageId}`

/** Of messages with the same id the first. */
export function onePerId<M extends Identified>(messages: M[]): M[] {
  const first = new Map<string, M>()
  for (const message of messages) if (!first.has(keyOf(message))) first.set(keyOf(message), message)
  return [...first.values()]
}

export async function withoutKnown<M extends Identified>(tx: TenantTx, messages: M[]): Promise<M[]> {
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
