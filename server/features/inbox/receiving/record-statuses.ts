import type { TenantTx } from '../../../platform/database.ts'
import { announceEvents, emitMany } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { optOut } from '../../contacts/consent/opt-out.ts'
import type { Sender } from '../../contacts/senders/sender.ts'
import { messageDelivered, messageFailed, messageRead } from '../events.ts'
import { findMessages, lockContactsOf } from '../messages/message-queries.ts'
import type { MessageError } from '../messages/schema.ts'
import { acceptMessages } from './accept-messages.ts'
import {
  matchStatuses,
  moveQuickly,
  moveStatuses,
  type StatusToMatch,
  type StatusWord,
  statusOrder,
} from './status-queries.ts'

/** A status of an outbound message, reported by the platform. */
export interface MessageStatus extends StatusToMatch {
  status: StatusWord
  /** The platform's time, ISO 8601, never in the future. */
  at: string
  error: MessageError | null
  /** If the platform reports both number and user id, which are then one person's. */
  recipient?: Sender & { at: string }
}

/** The recipient told the platform to block our marketing messages. */
const stoppedMarketing = '131050'

const eventOf = { delivered: messageDelivered, read: messageRead, failed: messageFailed }

/**
 * Moves messages forward, regardless of the order and repetition of statuses, and emits one event for each change. A
 * message that was read was also delivered: both events are emitted even if the platform reports only `read`. Returns
 * the statuses whose message is unknown, because a status can arrive before we have recorded the platform's response.
 */
export async function recordStatuses(
  tx: TenantTx,
  given: MessageStatus[],
  deps: { mediaAddress: string },
): Promise<MessageStatus[]> {
  const statuses = furthestOfEach(given, ({ channelId, chatMessageId }) => `${channelId} ${chatMessageId}`)
  const left = await moveNextOnes(tx, statuses, deps.mediaAddress)
  if (left.length === 0) return []
  const matched = await matchStatuses(tx, left)
  const known = furthestOfEach(
    matched.map(({ position, id, contact_id, is_accepted, is_behind }) => {
      const status = left[position - 1] as MessageStatus
      return { ...status, messageId: id, contactId: contact_id, isAccepted: is_accepted, isBehind: is_behind }
    }),
    ({ messageId }) => messageId,
  )
  // Duplicates have no effect. A message that was accepted between the two statements is still behind.
  const special = known.filter(
    ({ isAccepted, isBehind, error }) => !isAccepted || isBehind || error?.code === stoppedMarketing,
  )
  if (special.length > 0) await moveWithContacts(tx, special, deps)
  const positions = new Set(matched.map(({ position }) => position))
  return left.filter((_, i) => !positions.has(i + 1))
}

/** Applies the statuses that are simply the next one of a message. Returns the others. */
async function moveNextOnes(tx: TenantTx, statuses: MessageStatus[], address: string): Promise<MessageStatus[]> {
  const isSimple = ({ status, error }: MessageStatus) => status !== 'sent' && error?.code !== stoppedMarketing
  const simple = statuses
    .filter(isSimple)
    // The same order on every node, so that two nodes that update the same messages cannot deadlock.
    .sort((a, b) => (a.chatMessageId < b.chatMessageId ? -1 : 1))
  if (simple.length === 0) return statuses
  const move = async (moves: MessageStatus[]) =>
    moves.length === 0
      ? []
      : moveQuickly(
          tx,
          moves.map((status) => ({ ...status, eventId: newId() })),
          address,
        )
  const [, left] = await Promise.all([move(deliveredBefore(simple)), move(simple)])
  if (left.length < simple.length) announceEvents(tx, ...Object.values(eventOf))
  return [
    ...statuses.filter((status) => !isSimple(status)),
    ...left.map(({ position }) => simple[position - 1] as MessageStatus),
  ]
}

/** Messages that were not known to be accepted, or whose contact stopped marketing. */
async function moveWithContacts(
  tx: TenantTx,
  known: (MessageStatus & { messageId: string; contactId: string; isAccepted: boolean })[],
  deps: { mediaAddress: string },
): Promise<void> {
  const accepted = known
    .filter(({ isAccepted, status }) => !isAccepted && status !== 'failed')
    .map(({ messageId, chatMessageId }) => ({ id: messageId, chatMessageId }))
  await lockContactsOf(
    tx,
    known.map(({ messageId }) => messageId),
  )
  if (accepted.length > 0) await acceptMessages(tx, accepted, deps)
  const [before, moved] = await Promise.all([moveStatuses(tx, deliveredBefore(known)), moveStatuses(tx, known)])
  const statusOf = new Map(moved.map(({ id, status }) => [id, status]))
  const messages = await findMessages(tx, [...statusOf.keys()], deps.mediaAddress)
  const byStatus = Map.groupBy(messages, ({ id }) => statusOf.get(id))
  const wereDelivered = new Set(before.map(({ id }) => id))
  const delivered = messages.filter(({ id }) => wereDelivered.has(id))
  const stopped = known.filter(({ error }) => error?.code === stoppedMarketing)
  await Promise.all([
    emitMany(
      tx,
      messageDelivered,
      delivered.map((message) => ({ ...message, status: 'delivered' as const })),
    ),
    ...(['delivered', 'read', 'failed'] as const).map((status) =>
      emitMany(tx, eventOf[status], byStatus.get(status) ?? []),
    ),
    optOut(
      tx,
      stopped.map(({ contactId, at }) => ({ contactId, at, reason: stoppedMarketing })),
      'platform',
    ),
  ])
}

const deliveredBefore = <S extends MessageStatus>(statuses: S[]): S[] =>
  statuses.filter(({ status }) => status === 'read').map((status) => ({ ...status, status: 'delivered' }))

/** If a batch has several statuses of one message, only the furthest matters. */
function furthestOfEach<S extends MessageStatus>(statuses: S[], key: (status: S) => string): S[] {
  const furthest = new Map<string, S>()
  for (const status of statuses) {
    const other = furthest.get(key(status))
    if (!other || statusOrder.indexOf(status.status) > statusOrder.indexOf(other.status))
      furthest.set(key(status), status)
  }
  return [...furthest.values()]
}
