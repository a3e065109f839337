import Type from 'typebox'
import type { Database } from '../../../platform/database.ts'
import { defineHandler, defineJob } from '../../../platform/jobs.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { Id } from '../../../platform/schemas.ts'
import { discardAbandonedUploads } from './queries.ts'
import { runImport } from './run-import.ts'

/** Retried without a limit of the queue's own: the import counts starts without progress, and fails after some. */
export const importContactsJob = defineJob(
  'contacts.import',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), import_id: Id }),
  { retryLimit: 10_000, retryDelayMax: 10, expireInSeconds: 23 * 3600 },
)

export const sweepUploadsJob = defineJob('contacts.sweep-uploads', Type.Object({}))

export const importJobs = (database: Database, { phones }: { phones: PhoneNumbers }) => [
  defineHandler({
    kind: importContactsJob,
    // Two, so that a long file does not delay the short ones of others.
    concurrency: 2,
    handle: ({ organization_id, livemode, import_id }, { signal }) =>
      runImport(database, phones, {
        scope: { organizationId: organization_id, livemode },
        importId: import_id,
        signal,
      }),
  }),
  defineHandler({
    kind: sweepUploadsJob,
    schedule: '27 * * * *',
    handle: async () => {
      await discardAbandonedUploads(database.forSystem())
    },
  }),
]
