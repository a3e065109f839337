import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import type { QueueGauge, StateGauge } from '../../platform/metrics.ts'
import { readQueuedCalls } from './dispatching/queries.ts'

const States = Type.Object({ state: Type.String(), n: Type.Integer() })

/** Number of queued and running calls by telephony status. */
export const callGauge = (database: Database): StateGauge => ({
  name: 'frontdesk_calls',
  help: 'Calls that run or wait, by telephony status',
  async read() {
    const states = await database.forSystem().all(States)`
      select telephony_status as state, count(*) as n from calls where status = 'in-progress' group by 1`
    return Object.fromEntries(states.map(({ state, n }) => [state, n]))
  },
})

export const callQueueGauge = (database: Database): QueueGauge => ({
  read: async () => [await readQueuedCalls(database.forSystem())],
})
