import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Log } from '../../platform/log.ts'
import type { ChatConnections } from '../channels/chat-connections.ts'
import { templateEvents } from './events.ts'
import { templateJobKinds } from './job-kinds.ts'
import { templateJobs } from './jobs.ts'
import { templateRoutes } from './routes.ts'
import { followChannels } from './syncing/follow-channels.ts'

export const templates: Feature<{ database: Database; chatConnections: ChatConnections; log: Log }> = {
  jobKinds: templateJobKinds,
  eventKinds: templateEvents,
  open: (services) => ({
    routes: (routes) => templateRoutes(routes, services),
    jobs: templateJobs(services),
    subscriptions: [followChannels],
  }),
}
