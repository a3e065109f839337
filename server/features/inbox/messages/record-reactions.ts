import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { findKnownSenders } from '../../contacts/senders/find-senders.ts'
import type { Sender } from '../../contacts/senders/sender.ts'
import { messageUpdated } from '../events.ts'
import { findKnownMessages } from '../receiving/receive-queries.ts'
import { findMessages, putReactions, type ReactionRow } from './message-queries.ts'

/** A contact added a reaction to a message or removed it. */
export interface InboundReaction {
  channelId: string
  /** The message that the reaction is about. */
  chatMessageId: string
  sender: Sender
  /** Empty if the reaction was removed. */
  emoji: string
  /** The platform's time, ISO 8601, never in the future. */
  at: string
}

/** Applies reactions to their messages. Those of blocked contacts are dropped. Returns the reactions whose message is unknown, because it may arrive later. */
export async function recordReactions(
  tx: TenantTx,
  reactions: InboundReaction[],
  deps: { mediaAddress: string },
): Promise<InboundReaction[]> {
  if (reactions.length === 0) return []
  const contacts = await findKnownSenders(
    tx,
    reactions.map(({ sender }) => sender),
  )
  const isDropped = (i: number) => Boolean(contacts[i]?.blocked_at)
  const keyOf = (channelId: string, chatMessageId: string) => `${channelId} ${chatMessageId}`
  const known = new Map(
    (await findKnownMessages(tx, reactions)).map((row) => [keyOf(row.channel_id, row.chat_message_id), row.id]),
  )
  const messageOf = ({ channelId, chatMessageId }: InboundReaction) => known.get(keyOf(channelId, chatMessageId))
  const rows = reactions.flatMap((reaction, i) => {
    const { sender, emoji, at } = reaction
    const messageId = messageOf(reaction)
    const contact = contacts[i]
    const name = contact?.phone_number || contact?.whatsapp_user_id || sender.phoneNumber || sender.userId
    return messageId && name && !isDropped(i) ? [{ messageId, sender: name, emoji, at }] : []
  })
  if (rows.length > 0) await addReactions(tx, rows, deps)
  return reactions.filter((reaction, i) => !messageOf(reaction) && !isDropped(i))
}

/** Stores reactions of contacts and of the organization, and emits an event for each message that changed. */
export async function addReactions(
  tx: TenantTx,
  rows: ReactionRow[],
  { mediaAddress }: { mediaAddress: string },
): Promise<void> {
  const changed = await putReactions(tx, rows)
  if (changed.length === 0) return
  const previous = new Map(changed.map(({ id, previous }) => [id, { reactions: previous }]))
  const messages = await findMessages(tx, [...previous.keys()], mediaAddress)
  await emitMany(
    tx,
    messageUpdated,
    messages,
    messages.map(({ id }) => previous.get(id) ?? {}),
  )
}
