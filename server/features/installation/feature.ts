import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import { createHealthChecks } from '../../platform/health.ts'
import type { Jobs } from '../../platform/jobs.ts'
import { operatorRoutes } from './routes.ts'

/** For operators of the installation: what concerns all organizations. */
export const installation: Feature<{
  database: Database
  jobs: Jobs
  version: string
  settings: { DATA_DIR: string }
}> = {
  open: ({ settings, ...services }) => ({
    routes: (routes) =>
      operatorRoutes(routes, { ...services, health: createHealthChecks({ ...services, dataDir: settings.DATA_DIR }) }),
  }),
}
