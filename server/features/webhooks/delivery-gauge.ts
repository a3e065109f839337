import type { Database } from '../../platform/database.ts'
import type { StateGauge } from '../../platform/metrics.ts'
import { countDeliveries } from './sweep-queries.ts'

/** Number of deliveries in the log, by status. */
export const deliveryGauge = (database: Database): StateGauge => ({
  name: 'frontdesk_webhook_deliveries',
  help: 'Outgoing webhooks that are pending, have succeeded or have failed, as far as the log goes back',
  read: () => countDeliveries(database.forSystem()),
})
