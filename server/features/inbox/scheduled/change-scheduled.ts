import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found, invalid } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import { type Checking, replyFromJson } from '../sending/incoming-reply.ts'
import type { NewMessage } from '../sending/schema.ts'
import { scheduledMessageCancelled, scheduledMessageUpdated } from './events.ts'
import { changeScheduled, lockScheduled, scheduleAgain } from './queries.ts'
import { checkTime, enqueueSending } from './schedule-message.ts'
import type { ScheduledMessage, ScheduledMessageChanges } from './schema.ts'

/** The text or the time. The job of the earlier time finds that it is not due. */
export async function updateScheduled(
  tx: TenantTx,
  deps: Checking,
  id: string,
  { body, send_at }: ScheduledMessageChanges,
): Promise<ScheduledMessage> {
  if (body === undefined && send_at === undefined) throw invalid(['body', 'body'], 'Give body or send_at', 'missing')
  const before = await lockIn(tx, id, ['scheduled'])
  const message = body === undefined ? before.message : { ...before.message, body }
  replyFromJson(deps, tx.scope, message as NewMessage)
  const sendAt = send_at === undefined ? before.send_at : checkTime(send_at)
  const after = await changeScheduled(tx, { ...before, message, send_at: sendAt })
  await emit(tx, scheduledMessageUpdated, after, { message: before.message, send_at: before.send_at })
  if (after.send_at !== before.send_at) await enqueueSending(tx, after)
  return after
}

/** Sends a failed one at once: what made it fail may have changed. */
export async function retryScheduled(tx: TenantTx, id: string): Promise<ScheduledMessage> {
  const { status, send_at, error } = await lockIn(tx, id, ['failed'])
  const after = await scheduleAgain(tx, id)
  await emit(tx, scheduledMessageUpdated, after, { status, send_at, error })
  await enqueueSending(tx, after)
  return after
}

/** One that failed is discarded. Its error stays. */
export async function cancelScheduled(tx: TenantTx, id: string): Promise<ScheduledMessage> {
  const before = await lockIn(tx, id, ['scheduled', 'failed'])
  const after = await changeScheduled(tx, { ...before, status: 'cancelled' })
  await emit(tx, scheduledMessageCancelled, after)
  return after
}

/** The lock decides between a change and the sending, which needs it too. */
async function lockIn(tx: TenantTx, id: string, statuses: ScheduledMessage['status'][]): Promise<ScheduledMessage> {
  const scheduled = found(await lockScheduled(tx, id), 'Scheduled message')
  if (!statuses.includes(scheduled.status))
    throw conflict(`This message is ${scheduled.status}, not ${statuses.join(' or ')}`)
  return scheduled
}
