import type { Server } from 'node:http'
import type { RunningPart } from '../../platform/feature.ts'
import { startLoop } from '../../platform/loop.ts'
import type { Signals } from '../../platform/signals.ts'
import { type DispatchDependencies, startDispatching } from './dispatching/start-dispatching.ts'
import { createHolder } from './holding/create-holder.ts'
import type { HoldDependencies } from './holding/hold-call.ts'
import { startReaper } from './reap-calls.ts'
import { salvageRecordings } from './recordings/keep-recording.ts'
import { attachSockets, type SocketDependencies } from './sockets/attach-sockets.ts'

export interface CallsDependencies extends DispatchDependencies, HoldDependencies, Omit<SocketDependencies, 'holder'> {
  /** Whether this process does the worker's part too. */
  works: boolean
}

const salvageEveryMs = 15_000

/** Media sockets and recordings on every node; dialing and the reaper on workers. */
export function startCalls(server: Server, deps: CallsDependencies, signals: Signals): RunningPart {
  const { log, works } = deps
  const sockets = attachSockets(server, { ...deps, holder: createHolder({ ...deps, signals }) })
  const dispatching = works ? startDispatching(deps, signals) : undefined
  const reaper = works ? startReaper(deps) : undefined
  // A recording that was not stored yet when its process died is on the disk of the node that held the call.
  const salvaging = startLoop(
    log,
    { fault: 'call recordings: salvage failed, trying again', afterFailureMs: 1_000 },
    async () => {
      await salvageRecordings(deps)
      return salvageEveryMs
    },
  )
  return {
    /** Stops dialing, hangs up the calls that this node holds and records their end. */
    async beforeServerCloses() {
      await Promise.all([dispatching?.close(), sockets.close()])
    },
    async close() {
      await Promise.all([reaper?.close(), salvaging.close()])
    },
  }
}
