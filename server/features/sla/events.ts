import { defineEvent } from '../../platform/events.ts'
import { defineRecordEvents } from '../../platform/record-events.ts'
import { SlaPolicy, TicketWithTarget } from './schema.ts'

const scope = 'inbox:read'

/** A target is due soon. Once for each target. */
export const slaWarning = defineEvent('ticket.sla_warning', scope, TicketWithTarget)
/** A target was missed. Once for each target. */
export const slaBreached = defineEvent('ticket.sla_breached', scope, TicketWithTarget)

export const policyEvents = defineRecordEvents('sla_policy', scope, SlaPolicy)

export const slaEvents = [slaWarning, slaBreached, ...Object.values(policyEvents)]
