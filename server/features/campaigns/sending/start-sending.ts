import type { Signals } from '../../../platform/signals.ts'
import { campaignsChannel } from '../announce.ts'
import { startKeeping } from './keeper.ts'
import { type SenderDependencies, startSender } from './sender.ts'
import { enterBooks } from './worker.ts'

export interface Sending {
  /** Finishes what is on its way, hands back the rest and ends. */
  close(): Promise<void>
}

/** Sends campaigns for as long as this node runs; other workers on the same database do the same, and share the work. */
export async function startSending(
  deps: SenderDependencies & { leaseSeconds: number },
  signals: Signals,
): Promise<Sending> {
  const worker = await enterBooks(deps.database, deps.log, deps.leaseSeconds)
  const keeper = startKeeping(deps)
  const sender = startSender(deps, worker, { onIdle: keeper.wake })
  const stopListening = signals.on(
    campaignsChannel,
    () => {
      keeper.wake()
      sender.wake()
    },
    { atOnce: true },
  )
  return {
    async close() {
      stopListening()
      await Promise.all([keeper.close(), sender.close()])
      await worker.close()
    },
  }
}
