import type { TenantScope } from '../../../platform/database.ts'
import { AppError, conflict } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import { isSuspended } from '../../../platform/suspended.ts'
import { type Checking, replyFromJson } from '../sending/incoming-reply.ts'
import type { NewMessage } from '../sending/schema.ts'
import { NoLongerWanted, type Sending, sendMessage } from '../sending/send-message.ts'
import { scheduledMessageFailed, scheduledMessageSent } from './events.ts'
import { findScheduled, isDue, markFailed, markSent } from './queries.ts'

/**
 * Sends a scheduled message, once: the transaction that creates the message also marks it as sent, so a job that runs
 * again after a crash finds nothing to do.
 */
export async function sendScheduled(deps: Sending & Checking, scope: TenantScope, id: string): Promise<void> {
  const sql = deps.database.forTenant(scope)
  if (!(await isDue(sql, id))?.is_due) return
  const scheduled = await findScheduled(sql, id)
  if (!scheduled) return
  try {
    const { reply, obtainFile } = replyFromJson(deps, scope, scheduled.message as NewMessage)
    await sendMessage(deps, scope, scheduled.inbox_id, reply, {
      actor: { type: scheduled.actor_type, id: scheduled.actor_id },
      ...(obtainFile && { obtainFile }),
      guard: {
        async beforeStoring(tx, messageId) {
          if (await isSuspended(tx)) throw conflict('The organization is suspended')
          const sent = await markSent(tx, scheduled, messageId)
          if (!sent) throw new NoLongerWanted()
          await emit(tx, scheduledMessageSent, sent)
        },
        async beforeAttempt() {},
      },
    })
  } catch (error) {
    // Cancelled, moved, sent, or in another ticket: what it is now decides.
    if (error instanceof NoLongerWanted) return sendScheduled(deps, scope, id)
    // Refused before the message was created: the window has closed, or the file cannot be fetched. A message that the
    // platform refuses (502) exists and says so itself.
    if (!(error instanceof AppError) || (error.status >= 500 && error.status !== 502)) throw error
    const isFailed = await deps.database.inTenant(scope, async (tx) => {
      const failed = await markFailed(tx, scheduled, { code: String(error.status), message: error.message })
      if (failed) await emit(tx, scheduledMessageFailed, failed)
      return failed !== undefined
    })
    if (!isFailed) await sendScheduled(deps, scope, id)
  }
}
