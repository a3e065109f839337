import { type Dispatcher, startDispatcher } from '../../../platform/dispatch/dispatcher.ts'
import type { Signals } from '../../../platform/signals.ts'
import { campaignsChannel } from '../announce.ts'
import { createDeliverySource, type SendingDependencies } from './delivery-source.ts'
import { startMaintenance } from './maintenance.ts'
import { senderName } from './queries.ts'

/** Sends campaigns for as long as this node runs. All workers on the same database share the work. */
export async function startSending(
  deps: Omit<SendingDependencies, 'onIdle'> & { leaseSeconds: number },
  signals: Signals,
): Promise<Pick<Dispatcher, 'close'>> {
  const maintenance = startMaintenance(deps)
  const dispatcher = await startDispatcher({
    name: senderName,
    database: deps.database,
    log: deps.log,
    source: createDeliverySource({ ...deps, onIdle: maintenance.wake }),
    limits: {
      slots: { first: 64, least: 16, most: 2_048 },
      // Bounds how many deliveries become `unknown` when the process is killed.
      slotsHeldUntil: 'recorded',
      maxOnWire: 240,
      // A slow worker must not claim messages that others could send sooner.
      maxWaiting: 2_000,
      flushSize: 512,
      flushEveryMs: 50,
      claimAtMostEveryMs: 0,
      leaseSeconds: deps.leaseSeconds,
      drainTimeoutMs: 4_000,
      // Each writer takes a connection from the pool that requests use too.
      record: { gatherMs: 50, maxBatch: 500, maxWriters: 4, maxWritersOfGroup: 2 },
    },
  })
  const stopListening = signals.on(
    campaignsChannel,
    () => {
      maintenance.wake()
      dispatcher.wake()
    },
    { atOnce: true },
  )
  return {
    async close() {
      stopListening()
      await Promise.all([maintenance.close(), dispatcher.close()])
    },
  }
}
