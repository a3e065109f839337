import { type Dispatcher, startDispatcher } from '../../../platform/dispatch/dispatcher.ts'
import type { Signals } from '../../../platform/signals.ts'
import { deliveriesChannel } from '../deliveries/channel.ts'
import { deliveryQueue } from '../deliveries/gauges.ts'
import { createDeliverySource, type DeliveryDependencies, type DeliveryOptions } from './delivery-source.ts'

interface SendingOptions extends DeliveryOptions {
  /** Requests in flight in this process. */
  concurrency: number
}

/** Sends deliveries for as long as this node runs. All workers on the same database share the endpoints. */
export async function startSending(
  deps: DeliveryDependencies,
  signals: Signals,
  { concurrency, ...options }: SendingOptions,
): Promise<Pick<Dispatcher, 'close'>> {
  const source = createDeliverySource(deps, options)
  const dispatcher = await startDispatcher({
    name: 'webhook delivery',
    queue: deliveryQueue,
    database: deps.database,
    log: deps.log,
    metrics: deps.metrics,
    source,
    limits: {
      slots: { initial: concurrency, min: concurrency, max: concurrency },
      slotsHeldUntil: 'answered',
      maxOnWire: concurrency,
      maxWaiting: 8_192,
      flushSize: concurrency,
      flushEveryMs: 0,
      claimAtMostEveryMs: 10,
      leaseSeconds: 10,
      drainTimeoutMs: 2_000,
      record: { gatherMs: 15, maxBatch: 1_000, maxWriters: 1, maxWritersOfGroup: 1 },
    },
  })
  const stopListening = signals.on(
    deliveriesChannel,
    (changedWebhookId) => {
      if (changedWebhookId === undefined) source.expectMore()
      else source.expectChange()
      dispatcher.wake()
    },
    { atOnce: true },
  )
  return {
    async close() {
      stopListening()
      await dispatcher.close()
    },
  }
}
