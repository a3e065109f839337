import type { Server } from 'node:http'
import type { RunningPart } from '../../platform/feature.ts'
import { startLoop } from '../../platform/loop.ts'
import type { Signals } from '../../platform/signals.ts'
import { startReaper } from './ending/reap-calls.ts'
import { createHolder, type HolderDependencies } from './holding/create-holder.ts'
import { salvageRecordings } from './recordings/keep-recording.ts'
import { attachSockets, type SocketDependencies } from './sockets/attach-sockets.ts'

export interface CallsDependencies extends Omit<HolderDependencies, 'signals'>, Omit<SocketDependencies, 'holder'> {
  /** Whether this process also has the worker role. */
  works: boolean
  /** How long a draining node waits for its calls. */
  drainSeconds: number
}

const salvageEveryMs = 15_000

/** Every node accepts media sockets and salvages recordings; workers also reap. */
export function startCalls(server: Server, deps: CallsDependencies, signals: Signals): RunningPart {
  const { log, works, admission, drainSeconds } = deps
  const holder = createHolder({ ...deps, signals })
  const sockets = attachSockets(server, { ...deps, holder })
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
    async drain(hurry) {
      admission.isOpen = false
      await holder.drain(AbortSignal.any([hurry, AbortSignal.timeout(drainSeconds * 1000)]))
    },
    /** Hangs up the calls that this node holds and saves their endings. */
    beforeServerCloses: sockets.close,
    async close() {
      await Promise.all([reaper?.close(), salvaging.close()])
    },
  }
}
