import { defineEvent } from '../../platform/events.ts'
import { TicketAnalysis } from './schema.ts'

/** A closed ticket has a summary and results. */
export const ticketAnalyzed = defineEvent('ticket.analyzed', 'inbox:read', TicketAnalysis)
