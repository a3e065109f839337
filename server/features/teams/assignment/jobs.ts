import { defineHandler } from '../../../platform/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import type { Sending } from '../../inbox/sending/send-message.ts'
import { memberRemovedJob } from '../../organizations/members/job-kinds.ts'
import { announceTeamsOfRemoved } from '../announce-teams.ts'
import { assignTicket } from './assign-ticket.ts'
import { assignWaiting } from './assign-waiting.ts'
import { assignTicketJob, assignWaitingJob, releaseTicketsJob, sweepAssignmentsJob } from './job-kinds.ts'
import { announceTicketsOfRemoved, releaseTickets } from './release-tickets.ts'
import { sendAwayMessage } from './send-away-message.ts'

export const assignmentJobs = (deps: Sending & { log: Log }) => [
  defineHandler({
    kind: assignTicketJob,
    concurrency: 4,
    perGroup: 2,
    handle: async ({ ticketId, ...scope }) => {
      await deps.database.inTenant(scope, (tx) => assignTicket(tx, ticketId))
      await sendAwayMessage(deps, scope, ticketId)
    },
  }),
  defineHandler({
    kind: assignWaitingJob,
    handle: ({ organizationId }, { signal }) => assignWaiting(deps.database, organizationId, signal),
  }),
  defineHandler({
    kind: releaseTicketsJob,
    handle: async (left, { signal }) => {
      await releaseTickets(deps.database, left)
      await assignWaiting(deps.database, left.organizationId, signal)
    },
  }),
  defineHandler({
    kind: memberRemovedJob,
    handle: async (removal) => {
      await announceTicketsOfRemoved(deps.database, removal)
      await announceTeamsOfRemoved(deps.database, removal)
    },
  }),
  defineHandler({
    kind: sweepAssignmentsJob,
    schedule: '* * * * *',
    handle: (_, { signal }) => assignWaiting(deps.database, undefined, signal),
  }),
]
