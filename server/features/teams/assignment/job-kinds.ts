import Type from 'typebox'
import { defineJob } from '../../../platform/jobs.ts'
import { Id } from '../../../platform/schemas.ts'

const inTenant = { organizationId: Id, livemode: Type.Boolean() }

/** For one ticket that something happened to. */
export const assignTicketJob = defineJob('assignment.ticket', Type.Object({ ...inTenant, ticketId: Id }))

/** For both modes of one organization, after a change that may have made a member available. */
export const assignWaitingJob = defineJob('assignment.waiting', Type.Object(inTenant))

/** For both modes, when members left a team. */
export const releaseTicketsJob = defineJob(
  'assignment.release',
  Type.Object({ ...inTenant, teamId: Id, memberIds: Type.Array(Id) }),
)

/** For all: members who have not replied in time, business hours that began, members who were removed. */
export const sweepAssignmentsJob = defineJob('assignment.sweep', Type.Object({}))

export const assignmentJobKinds = [assignTicketJob, assignWaitingJob, releaseTicketsJob, sweepAssignmentsJob]
