import type { Feature } from '../../platform/feature.ts'
import { privacyEvents } from './events.ts'
import { privacyJobKinds } from './job-kinds.ts'
import { privacyJobs } from './jobs.ts'
import { privacyRoutes } from './routes.ts'

/**
 * What the law grants people over their data. Each feature declares what it holds about a person; this one runs the
 * declarations.
 */
export const privacy: Feature<Parameters<typeof privacyJobs>[0]> = {
  jobKinds: privacyJobKinds,
  eventKinds: privacyEvents,
  personalData: [
    { table: 'erasures', exempt: 'the proof of an erasure; it holds no personal data' },
    { table: 'erased_addresses', exempt: 'keyed hashes of erased numbers' },
  ],
  open: (services) => ({
    routes: (routes) => privacyRoutes(routes, { tables: services.personalData }),
    jobs: privacyJobs(services),
  }),
}
