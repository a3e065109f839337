import type { Feature } from '../../platform/feature.ts'
import type { Signals } from '../../platform/signals.ts'
import { hookGauge, hookQueueGauge } from './hook-gauges.ts'
import type { HookSecretCache } from './hook-secret-cache.ts'
import { hookJobs, sweepHooksJob } from './jobs.ts'
import type { Processing } from './process-hooks.ts'
import { hookRoutes } from './routes.ts'
import { startHookProcessing } from './start-processing.ts'
import { createHookStore } from './store-hooks.ts'

export const hooks: Feature<Processing & { hookSecretCache: HookSecretCache; signals: Signals }> = {
  jobKinds: [sweepHooksJob],
  open: ({ hookSecretCache, signals, ...processing }) => ({
    routes: (_routes, server) =>
      hookRoutes(server, { cache: hookSecretCache, store: createHookStore(processing.database, signals) }),
    gauges: [hookGauge(processing.database)],
    queues: [hookQueueGauge(processing.database)],
    jobs: hookJobs(processing.database),
    work: () => startHookProcessing(processing, signals),
  }),
}
