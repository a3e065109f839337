import Type from 'typebox'
import type { Database } from '../../../platform/database.ts'
import { expireRows } from '../../../platform/expire-rows.ts'
import { defineHandler, defineJob } from '../../../platform/jobs.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { Id } from '../../../platform/schemas.ts'
import { deleteOldBulkEdits } from './queries.ts'
import { runBulkEdit } from './run-bulk-edit.ts'

/** A retry continues after the last batch that was committed. */
export const bulkEditJob = defineJob(
  'contacts.bulk-edit',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), bulkEditId: Id }),
  { retryLimit: 100, retryDelayMax: 60, expireInSeconds: 23 * 3600 },
)

export const expireBulkEditsJob = defineJob('contacts.expire-bulk-edits', Type.Object({}))

const retentionDays = 30

export const bulkEditJobs = (deps: { database: Database; phones: PhoneNumbers }) => [
  defineHandler({
    kind: bulkEditJob,
    concurrency: 2,
    perGroup: 1,
    handle: ({ bulkEditId, ...scope }, { signal }) => runBulkEdit(deps, scope, bulkEditId, signal),
  }),
  defineHandler({
    kind: expireBulkEditsJob,
    schedule: '40 3 * * *',
    handle: (_, { signal }) => expireRows(deps.database.inSystem, { retentionDays, signal }, deleteOldBulkEdits),
  }),
]
