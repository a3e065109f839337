import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

export const analyzeTicketJob = defineJob(
  'ticket-analyses.analyze',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), ticketId: Id }),
)
