import type { Database } from '../../../platform/database.ts'
import type { QueueGauge, StateGauge } from '../../../platform/metrics.ts'
import { countDeliveries, readDeliveryDepth } from './gauge-queries.ts'

export const deliveryQueue = 'webhook_deliveries'

/** Number of deliveries in the log, by status. */
export const deliveryGauge = (database: Database): StateGauge => ({
  name: 'frontdesk_webhook_deliveries',
  help: 'Outgoing webhooks that are pending, have succeeded or have failed, as far as the log goes back',
  read: () => countDeliveries(database.forSystem()),
})

export const deliveryQueueGauge = (database: Database): QueueGauge => ({
  read: async () => [await readDeliveryDepth(database.forSystem(), deliveryQueue)],
})
