import type { Feature } from '../../platform/feature.ts'
import { expireRecordsJob, privacyJobs } from './jobs.ts'
import { privacyRoutes } from './routes.ts'

/**
 * What the law grants people over their data. Each feature declares what it holds about a person; this one runs the
 * declarations and knows no other feature.
 */
export const privacy: Feature<Parameters<typeof privacyJobs>[0]> = {
  jobKinds: [expireRecordsJob],
  open: (services) => ({ routes: privacyRoutes, jobs: privacyJobs(services) }),
}
