import type { Database } from '../../platform/database.ts'
import type { StateGauge } from '../../platform/metrics.ts'
import { countHooks } from './queries.ts'

/** How many webhooks wait to be processed, and how many were set aside. */
export const hookGauge = (database: Database): StateGauge => ({
  name: 'frontdesk_incoming_hooks',
  help: 'Webhooks of the chat platform that wait, were ignored or could not be applied',
  read: () => countHooks(database.forSystem()),
})
