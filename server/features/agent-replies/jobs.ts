import { defineHandler } from '../../platform/jobs.ts'
import { type Answering, answerTicket } from './answer-ticket.ts'
import { answerJob, sweepRepliesJob } from './job-kinds.ts'
import { sweepAnswers, sweepWaiting } from './queries.ts'

export const agentReplyJobs = (deps: Answering) => [
  defineHandler({
    kind: answerJob,
    // Jobs mostly wait, for the contact to finish and for the model. `perGroup` keeps one organization from using every
    // slot.
    concurrency: 8,
    perGroup: 6,
    handle: ({ ticketId, messageId, ...scope }, { signal }) =>
      answerTicket(deps, scope, { ticketId, messageId }, signal),
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
