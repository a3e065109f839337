import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { messageFailed } from '../events.ts'
import { findMessages, markFailed } from '../messages/message-queries.ts'
import type { Message, MessageError } from '../messages/schema.ts'

/** The platform may have sent the message. It is never resent automatically; a later status corrects it. */
export const unknownOutcome: MessageError = {
  code: 'unknown',
  message: 'The platform gave no clear answer: this message may have been sent; a receipt will confirm it',
}

/** Marks outbound messages as failed. Messages that the platform accepted in the meantime stay as they are. */
export async function failMessages(
  tx: TenantTx,
  failures: { id: string; error: MessageError }[],
  { mediaAddress }: { mediaAddress: string },
): Promise<Message[]> {
  const changed = await markFailed(tx, failures)
  if (changed.length === 0) return []
  const messages = await findMessages(
    tx,
    changed.map(({ id }) => id),
    mediaAddress,
  )
  await emitMany(tx, messageFailed, messages)
  return messages
}
