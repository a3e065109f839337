import type { TenantTx } from '../../platform/database.ts'
import { emitMany } from '../../platform/events.ts'
import { messageFailed } from './events.ts'
import { findMessages, markFailed } from './message-queries.ts'
import type { Message, MessageError } from './schema.ts'

/** Nobody can say whether it was sent; it is never sent again, and a status of the platform still puts it right. */
export const unknownOutcome: MessageError = {
  code: 'unknown',
  message: 'The platform did not answer: nobody can say whether this message was sent',
}

/** These outbound messages were refused or lost. What the platform has taken meanwhile stays as it is. */
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
