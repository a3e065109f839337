import type { Feature } from '../../platform/feature.ts'
import type { LiveHints } from '../../platform/live-hints.ts'
import type { Log } from '../../platform/log.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { followBlocks } from './blocking/follow-blocks.ts'
import { inboxEvents } from './events.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { inboxJobKinds, inboxJobs } from './jobs.ts'
import { inboxData } from './personal-data.ts'
import { followClosings } from './ratings/follow-closings.ts'
import { inboxRetention } from './retention.ts'
import { inboxRoutes } from './routes.ts'
import { scheduledMessageEvents } from './scheduled/events.ts'
import { scheduledMessageRoutes } from './scheduled/routes.ts'
import type { Sending } from './sending/send-message.ts'

export const inbox: Feature<Sending & { http: OutboundHttp; liveHints: LiveHints; log: Log }> = {
  jobKinds: inboxJobKinds,
  eventKinds: [...inboxEvents, ...scheduledMessageEvents],
  personalData: inboxData,
  retention: inboxRetention,
  open: (services) => ({
    routes: (routes) => {
      inboxRoutes(routes, { ...services, outbound: services.http })
      scheduledMessageRoutes(routes, { ...services, outbound: services.http })
      feedbackRoutes(routes, services)
    },
    jobs: inboxJobs({ ...services, outbound: services.http }),
    subscriptions: [followBlocks, followClosings],
  }),
}
