import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { sweepIgnoredHooks } from './queries.ts'

export const sweepHooksJob = defineJob('hooks.sweep', Type.Object({}))

export const hookJobs = (database: Database) => [
  defineHandler({
    kind: sweepHooksJob,
    schedule: '41 * * * *',
    handle: async () => {
      await sweepIgnoredHooks(database.forSystem(), { days: 30, most: 50_000 })
    },
  }),
]
