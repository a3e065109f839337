import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError, found } from '../../../platform/errors.ts'
import { CarrierError } from '../../../providers/telephony/contract.ts'
import type { Carriers } from '../carriers/carriers.ts'
import { findHolder, lockProgress } from '../progress-queries.ts'
import { findCall } from '../queries.ts'
import type { Call } from '../schema.ts'
import { holdersChannel, toPayload } from '../signals.ts'
import { finishCall } from './finish-call.ts'
import { hangUpCall } from './hang-up-call.ts'

/**
 * Ends a call in any state: a queued call is not dialed, a ringing call is canceled, and a call in conversation is
 * signaled to its holder, which hangs up and saves the transcript. A call that has already ended is not changed.
 */
export async function endCall(
  scope: TenantScope,
  id: string,
  { database, carriers }: { database: Database; carriers: Carriers },
): Promise<Call> {
  const unheldCall = await database.inTenant(scope, async (tx) => {
    const call = found(await lockProgress(tx, id), 'Call')
    if (call.status !== 'in-progress') return undefined
    const holder = call.holder_id ? await findHolder(database.forSystem(), call.holder_id) : undefined
    if (holder?.is_alive) {
      tx.signal(holdersChannel, toPayload({ callId: id, news: 'end' }))
      return undefined
    }
    await finishCall(tx, id, {
      status: call.holder_id ? 'completed' : 'failed',
      telephonyStatus: 'canceled',
      endedReason: 'ended_by_request',
      lastAliveAt: holder?.last_alive_at ?? null,
    })
    return call
  })
  if (unheldCall) await hangUpCall(unheldCall, scope, { database, carriers }).catch(carrierNotReached)
  return (await findCall(database.forTenant(scope), id)) as Call
}

/** The call has ended on our side, but the response must say that it may still be running at the carrier. */
function carrierNotReached(error: unknown): never {
  if (error instanceof CarrierError)
    throw new AppError(
      502,
      'The call has ended here, but the carrier could not be told to end it',
      { upstream: { code: error.code, message: error.message } },
      error,
    )
  throw error
}
