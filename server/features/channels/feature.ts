import type { Feature } from '../../platform/feature.ts'
import { channelEvents } from './events.ts'
import { channelJobKinds } from './job-kinds.ts'
import { channelJobs } from './jobs.ts'
import { channelRoutes } from './routes.ts'

export const channels: Feature<Parameters<typeof channelRoutes>[1] & Parameters<typeof channelJobs>[0]> = {
  jobKinds: channelJobKinds,
  eventKinds: channelEvents,
  open: (services) => ({
    routes: (routes) => channelRoutes(routes, services),
    jobs: channelJobs(services),
  }),
}
