import type { Database } from '../../platform/database.ts'
import { defineHandler } from '../../platform/jobs.ts'
import { type AnalyzeDependencies, analyzeCall } from './ending/analyze-call.ts'
import { analyzeCallJob, concludeTransferJob, expireRecordingsJob } from './job-kinds.ts'
import { expireRecordings } from './recordings/queries.ts'
import { concludeTransfer } from './transfers/conclude-transfer.ts'

const batchSize = 500

export const callJobs = (
  deps: AnalyzeDependencies & { database: Database; recordingRetentionDays: number | undefined },
) => [
  defineHandler({
    kind: analyzeCallJob,
    concurrency: 4,
    handle: ({ organization_id: organizationId, livemode, call_id }, attempt) =>
      analyzeCall({ organizationId, livemode }, call_id, deps, attempt),
  }),
  defineHandler({
    kind: concludeTransferJob,
    handle: ({ callId, ...scope }) => deps.database.inTenant(scope, (tx) => concludeTransfer(tx, callId, false)),
  }),
  defineHandler({
    kind: expireRecordingsJob,
    schedule: '17 * * * *',
    handle: async (_, { signal }) => {
      const { recordingRetentionDays: days, database } = deps
      if (days === undefined) return
      let removed = batchSize
      while (removed === batchSize && !signal.aborted)
        removed = await expireRecordings(database.forSystem(), days, batchSize)
    },
  }),
]
