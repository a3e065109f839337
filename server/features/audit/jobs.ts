import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { expireRows } from '../../platform/expire-rows.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { deleteEntriesBelow } from './queries.ts'

export const expireAuditEntriesJob = defineJob('audit.expire', Type.Object({}))

export const auditJobs = (database: Database, { retentionDays }: { retentionDays: number }) => [
  defineHandler({
    kind: expireAuditEntriesJob,
    schedule: '27 3 * * *',
    handle: (_, { signal }) => expireRows(database.inSystem, { retentionDays, signal }, deleteEntriesBelow),
  }),
]
