import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** Retries cover a model outage of about eight minutes. */
export const analyzeTicketJob = defineJob(
  'ticket-analyses.analyze',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), ticketId: Id }),
  { retryDelay: 15 },
)
