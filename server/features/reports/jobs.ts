import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { packDays } from './conversations/pack-days.ts'

export const packDaysJob = defineJob('reports.pack', Type.Object({}))

export const reportJobs = (database: Database) => [
  defineHandler({
    kind: packDaysJob,
    schedule: '*/5 * * * *',
    handle: (_, { signal }) => packDays(database, signal),
  }),
]
