import { defineHandler } from '../../platform/jobs.ts'
import type { RetentionRule } from '../../platform/personal-data.ts'
import { type Erasing, erasePerson } from './erasure/erase-person.ts'
import { resumeErasures } from './erasure/resume-erasures.ts'
import { erasePersonJob, expireRecordsJob } from './job-kinds.ts'
import { expireRecords } from './retention/expire-records.ts'

export const privacyJobs = ({ retention, ...erasing }: Erasing & { retention: RetentionRule[] }) => [
  defineHandler({
    kind: expireRecordsJob,
    schedule: '7 * * * *',
    handle: async (_, { signal }) => {
      await resumeErasures(erasing.database)
      await expireRecords(erasing.database, retention, signal)
    },
  }),
  defineHandler({
    kind: erasePersonJob,
    handle: ({ organization_id: organizationId, livemode, erasure_id }, { signal }) =>
      erasePerson(erasing, { organizationId, livemode }, erasure_id, signal),
  }),
]
