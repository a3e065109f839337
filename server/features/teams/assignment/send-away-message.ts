import { isDeepStrictEqual } from 'node:util'
import type { TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { type Guard, NoLongerWanted, type Sending, sendMessage } from '../../inbox/sending/send-message.ts'
import { findAwayMessage, recordAwayMessage } from './queries.ts'

/**
 * Sends the away message of the ticket's channel, once for each closed period. The transaction that stores the message
 * checks again that it is due, with the contact locked, and records it.
 */
export async function sendAwayMessage(
  deps: Sending & { log: Log },
  scope: TenantScope,
  ticketId: string,
): Promise<void> {
  const due = await findAwayMessage(deps.database.forTenant(scope), ticketId)
  if (!due) return
  const guard: Guard = {
    async beforeStoring(tx) {
      const now = await findAwayMessage(tx, ticketId)
      if (!isDeepStrictEqual(now, due)) throw new NoLongerWanted()
      await recordAwayMessage(tx, ticketId, due.opens_at)
    },
    async beforeAttempt() {},
  }
  const reply = { body: due.body, contextMessageId: null }
  try {
    await sendMessage(deps, scope, ticketId, reply, { actor: { type: 'system', id: null }, guard })
  } catch (error) {
    if (error instanceof NoLongerWanted) return
    if (!(error instanceof AppError)) throw error
    // The message is stored as failed, or the conversation is gone: a retry would send it twice or change nothing.
    deps.log.info({ ticket_id: ticketId, reason: error.message }, 'away message: not sent')
  }
}
