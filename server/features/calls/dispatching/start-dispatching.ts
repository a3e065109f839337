import type { Database } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { startLoop } from '../../../platform/loop.ts'
import type { Signals } from '../../../platform/signals.ts'
import { callsChannel } from '../signals.ts'
import { type DialDependencies, dialCall } from './dial-call.ts'
import { claimCalls, listWaiting, lockSlots } from './queries.ts'

export interface DispatchDependencies extends DialDependencies {
  database: Database
  log: Log
  /** How many calls of one organization and mode may run at once. */
  callsPerOrganization: number
}

/** As many of one organization at a time: then it is the next one's turn, however long the queue of the first is. */
const callsPerTurn = 5
/** Carriers that keep us waiting must not keep the others waiting. */
const maxConcurrentDials = 100
const pollMs = 1_000
/** Silence about a dialed call that lasts so long is left to the reaper. */
export const dialingSeconds = 120

/** Dials what is queued for as long as this node runs; other workers on the same database do the same. */
export function startDispatching(deps: DispatchDependencies, signals: Signals): { close(): Promise<void> } {
  const { database, log, callsPerOrganization: slots } = deps
  const dialing = new Set<Promise<void>>()
  let turn = 0

  async function dispatch(): Promise<number> {
    const waiting = await listWaiting(database.forSystem())
    let claimed = 0
    // Nobody is always the first to be served.
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
        const work: Promise<void> = dialCall(scope, call, deps)
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
