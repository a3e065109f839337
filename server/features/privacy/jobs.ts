import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import type { RetentionRule } from '../../platform/personal-data.ts'
import { expireRecords } from './retention/expire-records.ts'

/** An hour is enough for a backlog of millions of rows; what is left is deleted by the next run. */
export const expireRecordsJob = defineJob('privacy.expire', Type.Object({}), { expireInSeconds: 3600 })

export const privacyJobs = ({ database, retention }: { database: Database; retention: RetentionRule[] }) => [
  defineHandler({
    kind: expireRecordsJob,
    schedule: '7 * * * *',
    handle: (_, { signal }) => expireRecords(database, retention, signal),
  }),
]
