import type { Database, TenantScope } from '../../platform/database.ts'
import { type CarrierNews, type CarrierStatus, isOver } from '../../providers/telephony/contract.ts'
import type { CallEndedReason } from './ended-reasons.ts'
import type { Ending } from './ending.ts'
import { finishCall } from './finish-call.ts'
import { findHolder, lockProgress, type Progress, saveAnsweredBy, saveCarrierId, saveStep } from './progress-queries.ts'
import { holdersChannel, toPayload } from './signals.ts'
import type { EndStatus } from './statuses.ts'

const progressOrder = ['queued', 'dialing', 'initiated', 'ringing', 'in-progress']
/** Seconds until the next update has to come: of ringing, until the call is answered; of an answer, until its audio comes. */
const deadlines: Record<string, number> = { initiated: 90, ringing: 90, 'in-progress': 60 }

/**
 * What the carrier tells of a call, in whatever order and however often it tells it: a call only moves forward, and
 * where it has ended it stays ended. False when there is no such call on this channel.
 */
export async function recordCarrierStatus(
  database: Database,
  scope: TenantScope,
  { channelId, id, update }: { channelId: string; id: string; update: CarrierNews },
): Promise<boolean> {
  return database.inTenant(scope, async (tx) => {
    const call = await lockProgress(tx, id)
    if (!call || call.channel_id !== channelId) return false
    // Another call of the carrier's is not this one, whatever its address says.
    if (call.call_id !== '' && call.call_id !== update.callId) return false
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
    // A live holder knows what was said, and ends the call in a moment.
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

function isStale(call: Progress, { status, sequence }: CarrierNews): boolean {
  if (status === null || isOver(status)) return false
  if (sequence !== null && sequence <= call.callback_sequence) return true
  return progressOrder.indexOf(status) <= progressOrder.indexOf(call.telephony_status)
}

const stepOf = (call: Progress, update: CarrierNews) => ({
  callId: update.callId,
  telephonyStatus: update.status ?? call.telephony_status,
  sequence: update.sequence ?? -1,
  answeredBy: update.answeredBy,
  carrierSeconds: update.seconds,
  isAnswered: update.status === 'in-progress',
  deadlineSeconds: deadlines[update.status ?? ''] ?? null,
})

/** How a call ended that no agent of ours talked on, by the carrier's word. */
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

/** The carrier's words for how a call ended, in the contract's. */
const statusOf = (status: CarrierStatus): EndStatus =>
  status === 'busy' || status === 'no-answer' || status === 'completed' ? status : 'failed'
