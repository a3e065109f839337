import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import { type CarrierStatus, type CarrierUpdate, isOver } from '../../../providers/telephony/contract.ts'
import type { CallEndedReason } from '../ending/ended-reasons.ts'
import type { Ending } from '../ending/ending.ts'
import { finishCall } from '../ending/finish-call.ts'
import { concludeTransferJob } from '../job-kinds.ts'
import {
  findHolder,
  lockProgress,
  type Progress,
  saveAnsweredBy,
  saveCarrierId,
  saveStep,
} from '../progress-queries.ts'
import { holdersChannel, toPayload } from '../signals.ts'
import type { EndStatus } from '../statuses.ts'

const progressOrder = ['queued', 'dialing', 'initiated', 'ringing', 'in-progress']
/** Seconds until the next step: from dialing or ringing to the answer, from the answer to the audio. */
const deadlines: Record<string, number> = { initiated: 90, ringing: 90, 'in-progress': 60 }

/** How long the outcome of a transfer may come after the final status. */
const outcomeSeconds = 60

/**
 * Applies a status callback of the carrier. Callbacks may be duplicated and out of order: a call only moves forward,
 * and an ended call stays ended. Returns false if the channel has no such call.
 */
export async function recordCarrierStatus(
  database: Database,
  scope: TenantScope,
  { channelId, id, update }: { channelId: string; id: string; update: CarrierUpdate },
): Promise<boolean> {
  return database.inTenant(scope, async (tx) => {
    const call = await lockProgress(tx, id)
    if (!call || call.channel_id !== channelId) return false
    // The callback is about another call of the carrier, although its address names this one.
    if (call.call_id !== '' && call.call_id !== update.callId) return false
    const isFinal = update.status !== null && isOver(update.status)
    if (isFinal && call.is_being_transferred) await enqueueConclusion(tx, id)
    if (call.status !== 'in-progress') {
      await saveCarrierId(tx, id, update.callId)
      return true
    }
    if (update.status === null || isStale(call, update)) {
      if (update.answeredBy) await saveAnsweredBy(tx, id, update.answeredBy)
      return true
    }
    await saveStep(tx, id, stepOf(call, update))
    if (!isOver(update.status)) return true
    // A live holder has the transcript and ends the call itself.
    const holder = call.holder_id ? await findHolder(database.forSystem(), call.holder_id) : undefined
    if (holder?.is_alive) tx.signal(holdersChannel, toPayload({ callId: id, news: 'over' }))
    else if (call.holder_id)
      await finishCall(tx, id, {
        status: 'failed',
        telephonyStatus: update.status,
        endedReason: 'worker_lost',
        lastAliveAt: holder?.last_alive_at ?? null,
      })
    else await finishCall(tx, id, endingOf(update.status, update.errorCode))
    return true
  })
}

/**
 * The carrier reports the outcome of a transfer in a request of its own, which may come later than the final status, or
 * never: then the caller counts as not connected.
 */
async function enqueueConclusion(tx: TenantTx, callId: string): Promise<void> {
  const { organizationId, livemode } = tx.scope
  await tx.enqueue(concludeTransferJob, { organizationId, livemode, callId }, { startAfter: outcomeSeconds })
}

function isStale(call: Progress, { status, sequence }: CarrierUpdate): boolean {
  if (status === null || isOver(status)) return false
  if (sequence !== null && sequence <= call.callback_sequence) return true
  return progressOrder.indexOf(status) <= progressOrder.indexOf(call.telephony_status)
}

const stepOf = (call: Progress, update: CarrierUpdate) => ({
  callId: update.callId,
  telephonyStatus: update.status ?? call.telephony_status,
  sequence: update.sequence ?? -1,
  answeredBy: update.answeredBy,
  carrierSeconds: update.seconds,
  isAnswered: update.status === 'in-progress',
  deadlineSeconds: deadlines[update.status ?? ''] ?? null,
})

/** Ending of a call without a conversation, from the carrier's final status. */
export function endingOf(status: CarrierStatus, errorCode: string | null): Ending {
  const reasons: Partial<Record<CarrierStatus, CallEndedReason>> = {
    busy: 'busy',
    'no-answer': 'no_answer',
    canceled: 'canceled',
    completed: 'caller_hung_up',
  }
  return {
    status: statusOf(status),
    telephonyStatus: status,
    endedReason: reasons[status] ?? 'carrier_failed',
    ...(status === 'failed' && {
      error: { code: errorCode ?? 'failed', message: 'The carrier could not connect the call' },
    }),
  }
}

/** Maps the carrier's final status to a status of the API. */
const statusOf = (status: CarrierStatus): EndStatus =>
  status === 'busy' || status === 'no-answer' || status === 'completed' ? status : 'failed'
