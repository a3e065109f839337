import { defineHandler } from '../../platform/jobs.ts'
import type { RetentionRule } from '../../platform/personal-data.ts'
import { type Erasing, erasePerson } from './erasure/erase-person.ts'
import { resumeErasures } from './erasure/resume-erasures.ts'
import { exportPerson } from './exports/export-person.ts'
import { deleteExpiredExports } from './exports/queries.ts'
import { erasePersonJob, expireRecordsJob, exportPersonJob } from './job-kinds.ts'
import { expireRecords } from './retention/expire-records.ts'

export const privacyJobs = ({ retention, ...erasing }: Erasing & { retention: RetentionRule[] }) => [
  defineHandler({
    kind: expireRecordsJob,
    schedule: '7 * * * *',
    handle: async (_, { signal }) => {
      await resumeErasures(erasing.database)
      await deleteExpiredExports(erasing.database.forSystem())
      await expireRecords(erasing.database, retention, signal)
    },
  }),
  defineHandler({
    kind: erasePersonJob,
    handle: ({ organization_id: organizationId, livemode, erasure_id }, { signal }) =>
      erasePerson(erasing, { organizationId, livemode }, erasure_id, signal),
  }),
  defineHandler({
    kind: exportPersonJob,
    handle: ({ organization_id: organizationId, livemode, export_id }) =>
      exportPerson(erasing, { organizationId, livemode }, export_id),
  }),
]
