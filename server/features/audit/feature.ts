import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import { auditJobs, expireAuditEntriesJob } from './jobs.ts'
import { auditRoutes } from './routes.ts'

export const audit: Feature<{ database: Database; settings: { AUDIT_RETENTION_DAYS: number } }> = {
  jobKinds: [expireAuditEntriesJob],
  open: ({ database, settings }) => ({
    routes: (routes) => auditRoutes(routes, { database }),
    jobs: auditJobs(database, { retentionDays: settings.AUDIT_RETENTION_DAYS }),
  }),
}
