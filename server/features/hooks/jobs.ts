import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { sweepIgnoredHooks } from './queries.ts'
import { releaseHeldHooks } from './release-held-hooks.ts'

export const sweepHooksJob = defineJob('hooks.sweep', Type.Object({}))

export const hookJobs = (database: Database) => [
  defineHandler({
    kind: sweepHooksJob,
    schedule: '41 * * * *',
    handle: async () => {
      const system = database.forSystem()
      await sweepIgnoredHooks(system, { days: 30, most: 50_000 })
      // One may be held just after its suspension was lifted.
      await releaseHeldHooks(system)
    },
  }),
]
