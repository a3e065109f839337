import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** An hour is enough for a backlog of millions of rows; what is left is deleted by the next run. */
export const expireRecordsJob = defineJob('privacy.expire', Type.Object({}), { expireInSeconds: 3600 })

/** Tried for weeks: a person who was promised to be erased must not be forgotten in the queue. */
export const erasePersonJob = defineJob(
  'privacy.erase',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), erasure_id: Id }),
  { retryLimit: 1000, retryDelay: 5, retryDelayMax: 1800, expireInSeconds: 3600 },
)

export const exportPersonJob = defineJob(
  'privacy.export',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), export_id: Id }),
  { retryLimit: 10, retryDelay: 5, retryDelayMax: 600, expireInSeconds: 3600 },
)

export const privacyJobKinds = [expireRecordsJob, erasePersonJob, exportPersonJob]
