import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { expirePartitions } from '../../platform/expire-partitions.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { deleteEntriesBelow, deleteOperatorActions } from './queries.ts'

const table = { name: 'audit_entries', deleteBelow: deleteEntriesBelow }

export const expireAuditEntriesJob = defineJob('audit.expire', Type.Object({}))

export const auditJobs = (database: Database, { retentionDays }: { retentionDays: number }) => [
  defineHandler({
    kind: expireAuditEntriesJob,
    schedule: '27 3 * * *',
    handle: async (_, { signal }) => {
      await expirePartitions(database, table, { retentionDays, signal })
      await deleteOperatorActions(database.forSystem(), retentionDays)
    },
  }),
]
