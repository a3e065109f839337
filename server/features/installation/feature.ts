import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import { createHealthChecks } from '../../platform/health.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { TokenRates } from '../../providers/llm/token-cost.ts'
import { operatorRoutes } from './routes.ts'

/** For operators of the installation: what concerns all organizations. */
export const installation: Feature<{
  database: Database
  jobs: Jobs
  version: string
  calls: { rates: TokenRates }
  settings: { DATA_DIR: string }
}> = {
  open: ({ settings, calls: { rates }, ...services }) => ({
    routes: (routes) =>
      operatorRoutes(routes, {
        ...services,
        rates,
        health: createHealthChecks({ ...services, dataDir: settings.DATA_DIR }),
      }),
  }),
}
