import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** A call has ended: its summary, analysis and cost. */
export const analyzeCallJob = defineJob(
  'calls.analyze',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), call_id: Id }),
)

/** Recordings that are older than they may be. */
export const expireRecordingsJob = defineJob('calls.expire-recordings', Type.Object({}))

export const callJobKinds = [analyzeCallJob, expireRecordingsJob]
