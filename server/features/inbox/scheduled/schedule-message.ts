import type { TenantTx } from '../../../platform/database.ts'
import { found, invalid, notFound } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import { parseInstant } from '../../../platform/instants.ts'
import { sendScheduledJob } from '../jobs.ts'
import { type Checking, replyFromJson } from '../sending/incoming-reply.ts'
import { findOutlook } from '../sending/reply-queries.ts'
import { lockTicket } from '../tickets/ticket-queries.ts'
import { scheduledMessageCreated } from './events.ts'
import { insertScheduled } from './queries.ts'
import type { NewScheduledMessage, ScheduledMessage } from './schema.ts'

/** Stores a message to be sent later, with the job that sends it. */
export async function scheduleMessage(
  tx: TenantTx,
  deps: Checking,
  ticketId: string,
  { send_at, delay_seconds, ...message }: NewScheduledMessage,
  actor: Actor,
): Promise<ScheduledMessage> {
  if ((send_at === undefined) === (delay_seconds === undefined))
    throw invalid(['body', 'send_at'], 'Give either send_at or delay_seconds', 'missing')
  // The same checks as for sending it at once.
  replyFromJson(deps, tx.scope, message)
  const at = send_at === undefined ? { delaySeconds: delay_seconds as number } : { sendAt: checkTime(send_at) }
  found(await lockTicket(tx, ticketId), 'Inbox ticket')
  if (message.context_message_id) {
    const outlook = await findOutlook(tx, ticketId, message.context_message_id)
    if (!outlook?.knows_context) throw notFound('Message named by context_message_id')
  }
  const scheduled = await insertScheduled(tx, { id: newId(), ticketId, message, at, actor })
  await Promise.all([emit(tx, scheduledMessageCreated, scheduled), enqueueSending(tx, scheduled)])
  return scheduled
}

/** In UTC, in the future. */
export function checkTime(sendAt: string): string {
  const at = parseInstant(sendAt) as string
  if (Date.parse(at) <= Date.now()) throw invalid(['body', 'send_at'], 'send_at must be in the future')
  return at
}

export const enqueueSending = (tx: TenantTx, { id, send_at }: ScheduledMessage): Promise<void> =>
  tx.enqueue(
    sendScheduledJob,
    { ...tx.scope, scheduledMessageId: id },
    { startAfter: send_at, group: { id: tx.scope.organizationId } },
  )
