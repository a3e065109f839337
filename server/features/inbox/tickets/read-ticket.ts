import type { TenantTx } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import { emitMany } from '../../../platform/events.ts'
import { messageRead } from '../events.ts'
import { markReadJob } from '../jobs.ts'
import { findMessages, markInboundRead } from '../messages/message-queries.ts'
import type { Ticket } from './schema.ts'
import { clearUnread, lockTicket } from './ticket-queries.ts'

/** Marks the contact's messages as read by a member. A job sends the receipt: the platform may be unreachable. */
export async function readTicket(
  tx: TenantTx,
  id: string,
  { mediaAddress }: { mediaAddress: string },
): Promise<Ticket> {
  const before = found(await lockTicket(tx, id), 'Inbox ticket')
  const seen = await markInboundRead(tx, id)
  if (seen.length === 0 && before.unread_count === 0) return before
  const ids = seen.map((message) => message.id)
  const [after, messages] = await Promise.all([clearUnread(tx, id), findMessages(tx, ids, mediaAddress)])
  await emitMany(tx, messageRead, messages)
  // A receipt for this message also marks the earlier ones as read.
  const newest = messages.filter(({ chat_message_id }) => chat_message_id !== '').at(-1)
  const { organizationId, livemode } = tx.scope
  if (newest) await tx.enqueue(markReadJob, { organizationId, livemode, messageId: newest.id })
  return after
}
