import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import { followConversations } from './conversations/follow-conversations.ts'
import { packDaysJob, reportJobs } from './jobs.ts'
import { reportRoutes } from './routes.ts'

export const reports: Feature<{ database: Database }> = {
  jobKinds: [packDaysJob],
  personalData: [
    { table: 'reported_conversations', exempt: 'times and counts of tickets, deleted with their ticket' },
    { table: 'stale_report_days', exempt: 'ids of contacts for some minutes' },
  ],
  open: ({ database }) => ({
    routes: (routes) => reportRoutes(routes, { database }),
    subscriptions: [followConversations],
    jobs: reportJobs(database),
  }),
}
