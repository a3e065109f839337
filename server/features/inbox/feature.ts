import type { Feature } from '../../platform/feature.ts'
import type { LiveHints } from '../../platform/live-hints.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { followBlocks } from './blocking/follow-blocks.ts'
import { inboxEvents } from './events.ts'
import { inboxJobKinds, inboxJobs } from './jobs.ts'
import { inboxData } from './personal-data.ts'
import { inboxRetention } from './retention.ts'
import { inboxRoutes } from './routes.ts'
import type { Sending } from './sending/send-message.ts'

export const inbox: Feature<Sending & { http: OutboundHttp; liveHints: LiveHints }> = {
  jobKinds: inboxJobKinds,
  eventKinds: inboxEvents,
  personalData: inboxData,
  retention: inboxRetention,
  open: (services) => ({
    routes: (routes) => inboxRoutes(routes, { ...services, outbound: services.http }),
    jobs: inboxJobs(services),
    subscriptions: [followBlocks],
  }),
}
