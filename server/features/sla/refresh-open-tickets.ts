import type { TenantTx } from '../../platform/database.ts'
import { refreshOpenTicketsJob, refreshTargetsJob } from './job-kinds.ts'
import { findOpenTickets, type OpenTicket, ticketBatch } from './target-queries.ts'

/**
 * Adds a job for each open ticket of a batch, and one for the next batch. A ticket that moves to the front meanwhile has
 * a message or a change, and with it a job of its own. Jobs of due times and messages go first.
 */
export async function refreshOpenTickets(tx: TenantTx, behind: OpenTicket | null): Promise<void> {
  const tickets = await findOpenTickets(tx, behind)
  const options = { group: { id: tx.scope.organizationId }, priority: -1 }
  await Promise.all(tickets.map(({ id }) => tx.enqueue(refreshTargetsJob, { ...tx.scope, ticketId: id }, options)))
  const last = tickets.at(-1)
  if (last && tickets.length === ticketBatch)
    await tx.enqueue(refreshOpenTicketsJob, { ...tx.scope, behind: last }, options)
}
