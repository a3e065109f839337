import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** One job for each message. The job of the newest message answers everything that is waiting in the ticket. */
export const answerJob = defineJob(
  'agent-replies.answer',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), ticketId: Id, messageId: Id }),
  { retryLimit: 6, retryDelay: 2, expireInSeconds: 300 },
)

export const sweepRepliesJob = defineJob('agent-replies.sweep', Type.Object({}))

export const agentReplyJobKinds = [answerJob, sweepRepliesJob]
