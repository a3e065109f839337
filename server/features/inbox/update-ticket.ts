import type { TenantTx } from '../../platform/database.ts'
import { invalid, notFound, violates } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { ticketAssigned, ticketClosed, ticketReopened } from './events.ts'
import type { Ticket, TicketChanges } from './schema.ts'
import { lockTicket, updateTicketRow } from './ticket-queries.ts'

/** Closing, reopening and assigning; the world hears of what really changed. */
export async function updateTicket(tx: TenantTx, id: string, changes: TicketChanges): Promise<Ticket> {
  if (changes.status === undefined && changes.assignee_id === undefined)
    throw invalid(['body', 'status'], 'status must be open or closed', 'missing')
  const before = await lockTicket(tx, id)
  if (!before) throw notFound('Inbox ticket')
  const { status = before.status, assignee_id: assigneeId = before.assignee_id } = changes
  const after = await updateTicketRow(tx, id, { status, assigneeId }).catch((error) => {
    throw violates(error, 'tickets_assignee_is_a_member') ? notFound('Assignee') : error
  })
  if (before.status !== after.status)
    await emit(tx, after.status === 'closed' ? ticketClosed : ticketReopened, after, { status: before.status })
  if (before.assignee_id !== after.assignee_id)
    await emit(tx, ticketAssigned, after, { assignee_id: before.assignee_id })
  return after
}
