import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { expireRows } from '../../platform/expire-rows.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { deleteEventsBelow } from './queries.ts'

export const expireEventsJob = defineJob('events.expire', Type.Object({}))

export const eventJobs = (database: Database, { retentionDays }: { retentionDays: number }) => [
  defineHandler({
    kind: expireEventsJob,
    schedule: '17 * * * *',
    handle: (_, { signal }) => expireRows(database.inSystem, { retentionDays, signal }, deleteEventsBelow),
  }),
]
