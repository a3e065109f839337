import type { Static } from 'typebox'
import { defineHandler } from '../../platform/jobs.ts'
import { isSuspended } from '../../platform/suspended.ts'
import { type Answering, answerTicket } from './answer-ticket.ts'
import { answerJob, sweepRepliesJob } from './job-kinds.ts'
import { sweepAnswers, sweepWaiting } from './queries.ts'

/** Answers of a suspended organization wait; this is how often a worker looks whether it was lifted. */
const suspendedSeconds = 15

const postpone = ({ database }: Answering, job: Static<typeof answerJob.payload>) =>
  database.inSystem((tx) =>
    tx.enqueue(answerJob, job, { startAfter: suspendedSeconds, group: { id: job.organizationId } }),
  )

export const agentReplyJobs = (deps: Answering) => [
  defineHandler({
    kind: answerJob,
    // Jobs mostly wait, for the contact to finish and for the model. `perGroup` keeps one organization from using every
    // slot.
    concurrency: 8,
    perGroup: 6,
    handle: async (job, { signal }) => {
      const { ticketId, messageId, ...scope } = job
      if (await isSuspended(deps.database.forTenant(scope))) return postpone(deps, job)
      return answerTicket(deps, scope, { ticketId, messageId }, signal)
    },
  }),
  defineHandler({
    kind: sweepRepliesJob,
    schedule: '41 * * * *',
    handle: async () => {
      await sweepAnswers(deps.database.forSystem())
      await sweepWaiting(deps.database.forSystem())
    },
  }),
]
