import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { recordActivities } from '../../contacts/timeline/record-activity.ts'
import { messageSent } from '../events.ts'
import { previewOf } from '../messages/message-preview.ts'
import { findMessages, lockContactsOf, markAccepted } from '../messages/message-queries.ts'
import type { Message } from '../messages/schema.ts'

/**
 * Records that the platform accepted these outbound messages. The caller learned it from the platform's response or, if
 * that response was lost, from the first status webhook. Both may report the same message: only the first writes the
 * activity and the event.
 */
export async function acceptMessages(
  tx: TenantTx,
  accepted: { id: string; chatMessageId: string }[],
  { mediaAddress }: { mediaAddress: string },
): Promise<Message[]> {
  await lockContactsOf(
    tx,
    accepted.map(({ id }) => id),
  )
  const changed = await markAccepted(tx, accepted)
  if (changed.length === 0) return []
  const ids = changed.map(({ id }) => id)
  const messages = await findMessages(tx, ids, mediaAddress)
  await Promise.all([
    recordActivities(
      tx,
      messages.map((message) => ({
        contactId: message.contact_id,
        type: 'message_outbound',
        actor: { type: message.actor_type, id: message.actor_id },
        payload: { message_id: message.id, preview: previewOf(message) },
      })),
    ),
    emitMany(tx, messageSent, messages),
  ])
  return messages
}
