import type { TenantTx } from '../../../platform/database.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { openTickets } from './open-ticket.ts'
import type { TicketWithContact } from './schema.ts'
import { findOpenTickets, findTicket } from './ticket-queries.ts'

/**
 * Returns the contact's open ticket, or opens a new one. A member with limited access gets the one that they see; a new
 * one is assigned to them, as it has no channel yet.
 */
export async function createTicket(
  tx: TenantTx,
  contactId: string,
  memberId: string | null = null,
): Promise<{ ticket: TicketWithContact; isNew: boolean }> {
  const [seen] = tx.isLimited ? await findOpenTickets(tx, [contactId]) : []
  if (seen) return { ticket: (await findTicket(tx, seen.id)) as TicketWithContact, isNew: false }
  await tx.liftLimit()
  const [taken] = (await openTickets(tx, [contactId], tx.isLimited ? memberId : null)).values()
  if (tx.isLimited && taken && !taken.isNew)
    throw conflict('This contact has an open ticket, and you have no access to it')
  const ticket = taken && (await findTicket(tx, taken.id))
  if (!ticket) throw notFound('Contact')
  return { ticket, isNew: taken.isNew }
}
