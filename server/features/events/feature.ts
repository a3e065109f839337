import type { Database } from '../../platform/database.ts'
import type { EventKind } from '../../platform/events.ts'
import type { Feature } from '../../platform/feature.ts'
import { eraseEvents } from './erase-events.ts'
import { eventJobs, expireEventsJob } from './jobs.ts'
import { deleteOwnEventsBelow } from './queries.ts'
import { eventRoutes } from './routes.ts'

export const events: Feature<{
  database: Database
  eventKinds: EventKind[]
  settings: { EVENT_RETENTION_DAYS: number }
}> = {
  jobKinds: [expireEventsJob],
  personalMentions: [{ table: 'events', erase: eraseEvents }],
  retention: [{ kind: 'events', table: 'events', expire: deleteOwnEventsBelow }],
  open: ({ database, eventKinds, settings }) => ({
    routes: (routes) => eventRoutes(routes, { kinds: eventKinds, retentionDays: settings.EVENT_RETENTION_DAYS }),
    jobs: eventJobs(database, { retentionDays: settings.EVENT_RETENTION_DAYS }),
  }),
}
