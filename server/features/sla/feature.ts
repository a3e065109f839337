import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import { defineHandler } from '../../platform/jobs.ts'
import { slaEvents } from './events.ts'
import { followTickets } from './follow-tickets.ts'
import { refreshTargetsJob } from './job-kinds.ts'
import { slaData } from './personal-data.ts'
import { refreshTargets } from './refresh-targets.ts'
import { slaRoutes } from './routes.ts'

export const sla: Feature<{ database: Database }> = {
  jobKinds: [refreshTargetsJob],
  eventKinds: slaEvents,
  personalData: slaData,
  open: ({ database }) => ({
    routes: slaRoutes,
    jobs: [
      defineHandler({
        kind: refreshTargetsJob,
        concurrency: 2,
        handle: ({ ticketId, ...scope }) => database.inTenant(scope, (tx) => refreshTargets(tx, ticketId)),
      }),
    ],
    subscriptions: [followTickets],
  }),
}
