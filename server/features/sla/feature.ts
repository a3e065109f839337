import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import { defineHandler } from '../../platform/jobs.ts'
import { slaEvents } from './events.ts'
import { followPolicies } from './follow-policies.ts'
import { followTickets } from './follow-tickets.ts'
import { refreshOpenTicketsJob, refreshTargetsJob } from './job-kinds.ts'
import { slaData } from './personal-data.ts'
import { refreshOpenTickets } from './refresh-open-tickets.ts'
import { refreshTargets } from './refresh-targets.ts'
import { slaRoutes } from './routes.ts'

export const sla: Feature<{ database: Database }> = {
  jobKinds: [refreshTargetsJob, refreshOpenTicketsJob],
  eventKinds: slaEvents,
  personalData: slaData,
  open: ({ database }) => ({
    routes: slaRoutes,
    jobs: [
      defineHandler({
        kind: refreshTargetsJob,
        concurrency: 2,
        perGroup: 1,
        handle: ({ ticketId, ...scope }) => database.inTenant(scope, (tx) => refreshTargets(tx, ticketId)),
      }),
      defineHandler({
        kind: refreshOpenTicketsJob,
        concurrency: 1,
        handle: ({ behind, ...scope }) => database.inTenant(scope, (tx) => refreshOpenTickets(tx, behind)),
      }),
    ],
    subscriptions: [followTickets, followPolicies],
  }),
}
