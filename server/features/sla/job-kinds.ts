import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id, Nullable } from '../../platform/schemas.ts'

export const refreshTargetsJob = defineJob(
  'sla.refresh-targets',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), ticketId: Id }),
)

/** A batch of the open tickets, the most recently active first: those behind this one. */
export const refreshOpenTicketsJob = defineJob(
  'sla.refresh-open-tickets',
  Type.Object({
    organizationId: Id,
    livemode: Type.Boolean(),
    behind: Nullable(Type.Object({ id: Id, last_activity_at: Type.String() })),
  }),
)
