import type { Database } from '../../platform/database.ts'
import type { QueueGauge, StateGauge } from '../../platform/metrics.ts'
import { countHooks, readHookDepth } from './queries.ts'

export const hookQueue = 'inbound_webhooks'

/** How many webhooks wait to be processed, and how many were set aside. */
export const hookGauge = (database: Database): StateGauge => ({
  name: 'frontdesk_incoming_hooks',
  help: 'Webhooks of the chat platform that wait, were ignored or could not be applied',
  read: () => countHooks(database.forSystem()),
})

export const hookQueueGauge = (database: Database): QueueGauge => ({
  read: async () => [await readHookDepth(database.forSystem(), hookQueue)],
})
