import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** Writes summary, analysis and cost of an ended call. Retries cover a model outage of about an hour. */
export const analyzeCallJob = defineJob(
  'calls.analyze',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), call_id: Id }),
  { retryLimit: 8, retryDelay: 15 },
)

/** Concludes a transfer whose outcome the carrier did not report. */
export const concludeTransferJob = defineJob(
  'calls.conclude-transfer',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), callId: Id }),
)

/** Removes recordings past their retention period. */
export const expireRecordingsJob = defineJob('calls.expire-recordings', Type.Object({}))

export const callJobKinds = [analyzeCallJob, concludeTransferJob, expireRecordingsJob]
