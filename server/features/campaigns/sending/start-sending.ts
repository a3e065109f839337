import { type Dispatcher, startDispatcher } from '../../../platform/dispatch/dispatcher.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Signals } from '../../../platform/signals.ts'
import { campaignsChannel } from '../announce.ts'
import { deliveryQueue } from '../campaign-gauges.ts'
import { createDeliverySource, type SendingDependencies } from './delivery-source.ts'
import { startMaintenance } from './maintenance.ts'
import { senderName } from './queries.ts'

/**
 * Sends campaigns for as long as this node runs. All workers on the same database share the work.
 *
 * The life of a campaign message: `maintenance.ts` starts the campaign when it is due and freezes its recipients, one
 * row in `deliveries` each, all `pending`. `delivery-source.ts` gives them to the dispatcher: a worker claims a
 * channel's next second of messages (`sending`) and reserves a time for each, checks campaign and contact once more,
 * marks them in flight, and posts each at its time (`delivery-sender.ts`). `../deliveries/record-results.ts` records the
 * outcome: `sent`, `failed`, `pending` again, or `unknown` if only the platform knows it. Once no delivery is pending or
 * sending, maintenance completes the campaign.
 *
 * `queries.ts` has the statements; `send-queues.ts` the state of a channel in this worker's memory: its claimed
 * deliveries, the times that it missed, whether the platform seems to be down. `update-hold.ts` stops a channel for a
 * while when the platform refuses all of its messages or does not answer.
 *
 * A campaign's "sending times" are a setting: when its recipients may get it, in their zones. A "reserved time" is the
 * moment at which one message is sent, so that the channel keeps its rate.
 */
export async function startSending(
  deps: SendingDependencies & { metrics: Metrics; leaseSeconds: number },
  signals: Signals,
): Promise<Pick<Dispatcher, 'close'>> {
  const maintenance = startMaintenance(deps)
  const dispatcher = await startDispatcher({
    name: senderName,
    queue: deliveryQueue,
    database: deps.database,
    log: deps.log,
    metrics: deps.metrics,
    source: createDeliverySource(deps, { onQueueEmpty: maintenance.wake }),
    limits: {
      slots: { initial: 64, min: 16, max: 2_048 },
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
  }).catch(async (error) => {
    await maintenance.close()
    throw error
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
