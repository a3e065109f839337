import type { Database } from '../../platform/database.ts'
import type { QueueGauge, StateGauge } from '../../platform/metrics.ts'
import { countCampaigns, readDeliveryDepth } from './gauge-queries.ts'

export const deliveryQueue = 'campaign_deliveries'

export const campaignGauge = (database: Database): StateGauge => ({
  name: 'frontdesk_campaigns',
  help: 'Campaigns by status',
  async read() {
    const counts = await countCampaigns(database.forSystem())
    return Object.fromEntries(counts.map(({ status, n }) => [status, n]))
  },
})

export const deliveryQueueGauge = (database: Database): QueueGauge => ({
  read: async () => [await readDeliveryDepth(database.forSystem(), deliveryQueue)],
})
