import type { Feature } from '../../platform/feature.ts'
import type { Log } from '../../platform/log.ts'
import { templateEvents } from './events.ts'
import { templateJobKinds } from './job-kinds.ts'
import { templateJobs } from './jobs.ts'
import { deleteOldMedia } from './media/media-queries.ts'
import type { MediaDependencies } from './media/receive-media.ts'
import { templateRoutes } from './routes.ts'
import { followChannels } from './syncing/follow-channels.ts'

export const templates: Feature<MediaDependencies & { log: Log }> = {
  jobKinds: templateJobKinds,
  eventKinds: templateEvents,
  personalData: [{ table: 'template_media', exempt: 'the organization’s own files for templates' }],
  retention: [{ kind: 'media', table: 'template_media', expire: deleteOldMedia }],
  open: (services) => ({
    routes: (routes) => templateRoutes(routes, services),
    jobs: templateJobs(services),
    subscriptions: [followChannels],
  }),
}
