import type { TenantTx } from '../../../platform/database.ts'
import { notFound } from '../../../platform/errors.ts'
import type { TicketWithContact } from '../schema.ts'
import { openTickets } from './open-ticket.ts'
import { findTicket } from './ticket-queries.ts'

/** Returns the contact's open ticket, or opens a new one. */
export async function createTicket(
  tx: TenantTx,
  contactId: string,
): Promise<{ ticket: TicketWithContact; isNew: boolean }> {
  const [taken] = (await openTickets(tx, [contactId])).values()
  const ticket = taken && (await findTicket(tx, taken.id))
  if (!ticket) throw notFound('Contact')
  return { ticket, isNew: taken.isNew }
}
