import type { Feature } from '../../platform/feature.ts'
import type { Signals } from '../../platform/signals.ts'
import type { HookBook } from './hook-book.ts'
import { hookGauge } from './hook-gauge.ts'
import { hookJobs, sweepHooksJob } from './jobs.ts'
import type { Processing } from './process-hooks.ts'
import { hookRoutes } from './routes.ts'
import { startHookProcessing } from './start-processing.ts'
import { createHookStore } from './store-hooks.ts'

export const hooks: Feature<Processing & { hookBook: HookBook; signals: Signals }> = {
  jobKinds: [sweepHooksJob],
  open: ({ hookBook, signals, ...processing }) => ({
    routes: (_routes, server) =>
      hookRoutes(server, { book: hookBook, store: createHookStore(processing.database, signals) }),
    gauges: [hookGauge(processing.database)],
    jobs: hookJobs(processing.database),
    work: () => startHookProcessing(processing, signals),
  }),
}
