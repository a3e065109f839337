import type { Subscription } from '../../platform/events.ts'
import { scheduleEvents } from '../schedules/events.ts'
import { policyEvents } from './events.ts'
import { refreshOpenTicketsJob } from './job-kinds.ts'
import { isFollowedByPolicy } from './policy-queries.ts'

/** Has the targets of all open tickets computed again when a policy or its business hours change. */
export const followPolicies: Subscription = {
  name: 'sla-policies',
  types: [...Object.values(policyEvents), scheduleEvents.updated].map(({ type }) => type),
  async react(events, tx) {
    for (const { organization_id: organizationId, livemode, type, data } of events) {
      const changed = Object.keys(data.previous ?? {})
      if (changed.length === 1 && changed[0] === 'name') continue
      const { id } = data.object as { id: string }
      if (type === scheduleEvents.updated.type && !(await isFollowedByPolicy(tx, organizationId, id))) continue
      const job = { organizationId, livemode, behind: null }
      await tx.enqueue(refreshOpenTicketsJob, job, { group: { id: organizationId } })
    }
  },
}
