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
  /** Whether this process also has the worker role. */
  works: boolean
}

const salvageEveryMs = 15_000

/** Every node accepts media sockets and salvages recordings; workers also dial and reap. */
export function startCalls(server: Server, deps: CallsDependencies, signals: Signals): RunningPart {
  const { log, works } = deps
  const sockets = attachSockets(server, { ...deps, holder: createHolder({ ...deps, signals }) })
  const dispatching = works ? startDispatching(deps, signals) : undefined
  const reaper = works ? startReaper(deps) : undefined
  // If a process dies before uploading a recording, the file remains on the disk of its node.
  const salvaging = startLoop(
    log,
    { fault: 'call recordings: salvage failed, trying again', afterFailureMs: 1_000 },
    async () => {
      await salvageRecordings(deps)
      return salvageEveryMs
    },
  )
  return {
    /** Stops dialing, hangs up the calls that this node holds and saves their endings. */
    async beforeServerCloses() {
      await Promise.all([dispatching?.close(), sockets.close()])
    },
    async close() {
      await Promise.all([reaper?.close(), salvaging.close()])
    },
  }
}
