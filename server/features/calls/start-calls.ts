import type { Server } from 'node:http'
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

export interface RunningCalls {
  /** Before the server closes: hangs up what is talked on here, and writes it down. */
  hangUp(): Promise<void>
  close(): Promise<void>
}

const salvageEveryMs = 15_000

/** Everything about calls that goes on by itself: sockets in every process that listens, the rest in workers. */
export function startCalls(server: Server, deps: CallsDependencies, signals: Signals): RunningCalls {
  const { log, works } = deps
  const sockets = attachSockets(server, { ...deps, holder: createHolder({ ...deps, signals }) })
  const dispatching = works ? startDispatching(deps, signals) : undefined
  const reaper = works ? startReaper(deps) : undefined
  // Recordings that are left behind lie on the machine that held the call.
  const salvaging = startLoop(
    log,
    { fault: 'taking up recordings met a fault and goes on', afterFailureMs: 1_000 },
    async () => {
      await salvageRecordings(deps)
      return salvageEveryMs
    },
  )
  return {
    async hangUp() {
      // Nobody is dialed any more whose call nobody here could take.
      await Promise.all([dispatching?.close(), sockets.close()])
    },
    async close() {
      await Promise.all([reaper?.close(), salvaging.close()])
    },
  }
}
