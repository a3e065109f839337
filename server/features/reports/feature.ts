import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import { followConversations } from './conversations/follow-conversations.ts'
import { reportRoutes } from './routes.ts'

export const reports: Feature<{ database: Database }> = {
  personalData: [{ table: 'reported_conversations', exempt: 'times and counts of tickets, deleted with their ticket' }],
  open: ({ database }) => ({
    routes: (routes) => reportRoutes(routes, { database }),
    subscriptions: [followConversations],
  }),
}
