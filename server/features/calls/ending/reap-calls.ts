import type { Database, TenantScope } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { startLoop } from '../../../platform/loop.ts'
import { isOver } from '../../../providers/telephony/contract.ts'
import type { Carriers } from '../carriers/carriers.ts'
import { endingOf } from '../carriers/record-carrier-status.ts'
import { holdersChannel, toPayload } from '../signals.ts'
import type { CallEndedReason } from './ended-reasons.ts'
import type { Ending } from './ending.ts'
import { finishCall } from './finish-call.ts'
import { isUnchanged, type LostCall, listLost } from './finish-queries.ts'

interface ReaperDependencies {
  database: Database
  carriers: Carriers
  log: Log
}

const batchSize = 50
const pollMs = 2_000

/** Ends calls whose carrier or holder no longer responds, so that every call ends and frees its slot. */
export function startReaper(deps: ReaperDependencies): { close(): Promise<void> } {
  const { database, log } = deps
  const loop = startLoop(
    log,
    { fault: 'call reaper: listing lost calls failed, trying again', afterFailureMs: 1_000 },
    async () => {
      const lost = await listLost(database.forSystem(), batchSize)
      await Promise.all(lost.map((call) => reap(call, deps)))
      return lost.length === batchSize ? 0 : pollMs
    },
  )
  return { close: loop.close }
}

async function reap(lost: LostCall, { database, carriers, log }: ReaperDependencies): Promise<void> {
  const scope = { organizationId: lost.organization_id, livemode: lost.livemode }
  try {
    const ending = (await askCarrier(scope, lost, database, carriers)) ?? lostEnding(lost)
    const ended = await database.inTenant(scope, async (tx) => {
      if (!(await isUnchanged(tx, lost))) return undefined
      // Tells the holder, if it is still alive, to stop the conversation.
      tx.signal(holdersChannel, toPayload({ callId: lost.id, news: 'end' }))
      return finishCall(tx, lost.id, ending)
    })
    if (ended) log.warn({ call: lost.id, reason: ending.endedReason }, 'call reaper: lost call ended')
  } catch (error) {
    log.error({ err: error, call: lost.id }, 'call reaper: ending a lost call failed, trying again')
  }
}

/** Asks the carrier how the call ended, in case its callbacks were lost, and hangs up if it is still running there. */
async function askCarrier(
  scope: TenantScope,
  { channel_id, call_id, carrier_url, holder_id }: LostCall,
  database: Database,
  carriers: Carriers,
): Promise<Ending | undefined> {
  if (!channel_id || !call_id) return undefined
  try {
    const voice = await carriers.findVoiceAccount(database.forTenant(scope), channel_id)
    const carrier = await carriers.of(scope, voice, carrier_url)
    const known = await carrier.findCall(call_id)
    if (known && !isOver(known.status)) await carrier.endCall(call_id)
    // Once the agent has talked, the reason is the lost holder, whatever status the carrier reports.
    if (!known || !isOver(known.status) || holder_id) return undefined
    return endingOf(known.status, null)
  } catch {
    return undefined
  }
}

function lostEnding({ medium, telephony_status, holder_id, holder_lost, last_alive_at }: LostCall): Ending {
  const failed = (endedReason: CallEndedReason): Ending => ({
    status: 'failed',
    telephonyStatus: 'failed',
    endedReason,
  })
  if (holder_id) return { ...failed(holder_lost ? 'worker_lost' : 'deadline'), lastAliveAt: last_alive_at }
  if (medium === 'web') return { status: 'no-answer', telephonyStatus: 'no-answer', endedReason: 'not_joined' }
  if (telephony_status === 'queued') return failed('queued_too_long')
  if (telephony_status === 'dialing') return failed('dial_unknown')
  return failed(telephony_status === 'in-progress' ? 'no_media' : 'carrier_silent')
}
