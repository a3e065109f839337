import type { Subscription } from '../../platform/events.ts'
import { ticketClosed } from '../inbox/events.ts'
import { analyzeTicketJob } from './job-kinds.ts'
import { findToAnalyze } from './queries.ts'

/** Enqueues the analysis of closed tickets whose channel has an active agent. */
export const followTickets: Subscription = {
  name: 'ticket-analyses',
  types: [ticketClosed.type],
  async react(events, tx) {
    for (const { organization_id: organizationId, livemode, id: ticketId } of await findToAnalyze(tx, events))
      await tx.enqueue(analyzeTicketJob, { organizationId, livemode, ticketId }, { group: { id: organizationId } })
  },
}
