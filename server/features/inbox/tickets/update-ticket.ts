import type { TenantTx } from '../../../platform/database.ts'
import { found, invalid, notFound, violates } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import { ticketClosed, ticketReopened, ticketUpdated } from '../events.ts'
import type { Ticket, TicketChanges } from '../schema.ts'
import { lockTicket, updateTicketRow } from './ticket-queries.ts'

/** Closes, reopens or assigns a ticket, and emits an event if something changed. */
export async function updateTicket(tx: TenantTx, id: string, changes: TicketChanges): Promise<Ticket> {
  if (changes.status === undefined && changes.assignee_id === undefined)
    throw invalid(['body', 'status'], 'status must be open or closed', 'missing')
  const before = found(await lockTicket(tx, id), 'Inbox ticket')
  const { status = before.status, assignee_id: assigneeId = before.assignee_id } = changes
  const after = await updateTicketRow(tx, id, { status, assigneeId }).catch((error) => {
    throw violates(error, 'tickets_assignee_is_a_member') ? notFound('Assignee') : error
  })
  const isTurned = before.status !== after.status
  const isReassigned = before.assignee_id !== after.assignee_id
  if (isTurned || isReassigned)
    await emit(tx, isTurned ? (after.status === 'closed' ? ticketClosed : ticketReopened) : ticketUpdated, after, {
      ...(isTurned && { status: before.status }),
      ...(isReassigned && { assignee_id: before.assignee_id }),
    })
  return after
}
