import type { Database } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { startLoop } from '../../../platform/loop.ts'
import type { Signals } from '../../../platform/signals.ts'
import type { Tracer } from '../../../platform/tracing/trace.ts'
import { callsChannel } from '../signals.ts'
import { type DialDependencies, dialCall } from './dial-call.ts'
import { claimCalls, listWaiting, lockSlots } from './queries.ts'

export interface DispatchDependencies extends DialDependencies {
  database: Database
  log: Log
  tracer: Tracer
  /** Maximum concurrent calls of one organization and mode. */
  callsPerOrganization: number
}

/** Calls claimed per organization before the next one is served, so that a long queue does not delay the others. */
const callsPerTurn = 5
/** Bounds the requests to carriers in flight, so that slow carriers do not exhaust this process. */
const maxConcurrentDials = 100
const pollMs = 1_000
/** The reaper ends a call that is still `dialing` after this time. */
const dialingSeconds = 120

/** Dials queued calls while this node runs. Other workers on the same database do the same concurrently. */
export function startDispatching(deps: DispatchDependencies, signals: Signals): { close(): Promise<void> } {
  const { database, log, tracer, callsPerOrganization: slots } = deps
  const dialing = new Set<Promise<void>>()
  let turn = 0

  async function dispatch(): Promise<number> {
    const waiting = await listWaiting(database.forSystem())
    let claimed = 0
    // Round robin: each pass starts with another organization.
    const first = turn++ % Math.max(1, waiting.length)
    for (const each of [...waiting.slice(first), ...waiting.slice(0, first)]) {
      const most = Math.min(callsPerTurn, maxConcurrentDials - dialing.size)
      if (most <= 0) return 100
      const scope = { organizationId: each.organization_id, livemode: each.livemode }
      const calls = await database.inSystem(async (tx) => {
        await lockSlots(tx, scope)
        return claimCalls(tx, each, { slots, most, deadlineSeconds: dialingSeconds })
      })
      claimed += calls.length
      for (const call of calls) {
        const span = { parent: call.traceparent, attributes: { 'frontdesk.call_id': call.id } }
        const work: Promise<void> = tracer
          .run('dial', span, () => dialCall(scope, call, deps))
          .catch((error) => log.error({ err: error, call: call.id }, 'call dispatcher: dialing failed'))
          .finally(() => dialing.delete(work))
        dialing.add(work)
      }
    }
    return claimed > 0 ? 0 : pollMs
  }

  const loop = startLoop(
    log,
    { fault: 'call dispatcher: dispatching failed, trying again', afterFailureMs: 1_000 },
    dispatch,
  )
  const stopListening = signals.on(callsChannel, () => loop.wake(), { atOnce: true })
  return {
    async close() {
      stopListening()
      await loop.close()
      await Promise.all(dialing)
    },
  }
}
