import type { Feature } from '../../platform/feature.ts'
import type { Signals } from '../../platform/signals.ts'
import { deleteEarlyUpdatesMentioning } from './early-queries.ts'
import { eraseFromFailedHooks } from './erase-from-failed-hooks.ts'
import { hookGauge, hookQueueGauge } from './hook-gauges.ts'
import type { HookSecretCache } from './hook-secret-cache.ts'
import { hookJobs, sweepHooksJob } from './jobs.ts'
import type { Processing } from './process-hooks.ts'
import { deleteKeptHooksMentioning } from './queries.ts'
import { hookRoutes } from './routes.ts'
import { startHookProcessing } from './start-processing.ts'
import { createHookStore } from './store-hooks.ts'

export const hooks: Feature<Processing & { hookSecretCache: HookSecretCache; signals: Signals }> = {
  jobKinds: [sweepHooksJob],
  personalData: [
    { table: 'incoming_hooks', exempt: 'held for seconds; what an erased person sent before the erasure is dropped' },
  ],
  personalMentions: [
    {
      table: 'early_updates',
      erase: async (sql, { patterns }) => ({ rows: await deleteEarlyUpdatesMentioning(sql, patterns), last: null }),
    },
    {
      table: 'kept_hooks',
      runsAs: 'system',
      erase: async (sql, { scope, patterns }) => ({
        rows: await deleteKeptHooksMentioning(sql, scope, patterns),
        last: null,
      }),
    },
    { table: 'kept_hooks', runsAs: 'system', erase: eraseFromFailedHooks },
  ],
  open: ({ hookSecretCache, signals, ...processing }) => ({
    routes: (_routes, server) =>
      hookRoutes(server, { cache: hookSecretCache, store: createHookStore(processing.database, signals) }),
    gauges: [hookGauge(processing.database)],
    queues: [hookQueueGauge(processing.database)],
    jobs: hookJobs(processing.database),
    work: () => startHookProcessing(processing, signals),
  }),
}
