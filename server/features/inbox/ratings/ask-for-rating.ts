import type { TenantScope } from '../../../platform/database.ts'
import { AppError, conflict } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { isSuspended } from '../../../platform/suspended.ts'
import { NoLongerWanted, type Sending, sendMessage } from '../sending/send-message.ts'
import { findRequest, markRequested } from './queries.ts'
import { ratingRequest } from './rating-request.ts'

/**
 * Asks the contact to rate a closed ticket, once: the transaction that stores the message marks the ticket. Outside the
 * 24-hour window the platform takes no such message, and the contact is not asked.
 */
export async function askForRating(deps: Sending & { log: Log }, scope: TenantScope, ticketId: string): Promise<void> {
  const request = await findRequest(deps.database.forTenant(scope), ticketId)
  if (!request) return
  try {
    await sendMessage(deps, scope, ticketId, ratingRequest(request.language ?? 'en'), {
      actor: { type: 'system', id: null },
      guard: {
        async beforeStoring(tx, messageId) {
          if (await isSuspended(tx)) throw conflict('The organization is suspended')
          if ((await markRequested(tx, ticketId, messageId)) === 0) throw new NoLongerWanted()
        },
        async beforeAttempt() {},
      },
    })
  } catch (error) {
    if (error instanceof NoLongerWanted) return
    // The window has closed, the contact is gone, or the platform refused the message, which then says so.
    if (!(error instanceof AppError) || (error.status >= 500 && error.status !== 502)) throw error
    deps.log.info({ ticket_id: ticketId, reason: error.message }, 'rating request: refused, not asking')
  }
}
