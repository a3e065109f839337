import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { ticketOpened } from '../events.ts'
import { findOpenTickets, insertTickets, lockContacts } from './ticket-queries.ts'

interface TakenTicket {
  id: string
  isNew: boolean
}

/**
 * Returns the open ticket of each contact (the most recently active one if there are several), or opens a new one.
 * Contacts that do not exist have no entry. Closed tickets stay closed. The contacts stay locked until the commit, so
 * that concurrent requests open one ticket. New tickets get the assignee.
 */
export async function openTickets(
  tx: TenantTx,
  contactIds: string[],
  assigneeId: string | null = null,
): Promise<Map<string, TakenTicket>> {
  const contacts = await lockContacts(tx, contactIds)
  const ids = contacts.map(({ id }) => id)
  // A separate statement, so that it sees what was committed while the lock was waited for.
  const open = await findOpenTickets(tx, ids)
  const taken = new Map<string, TakenTicket>(open.map(({ id, contact_id }) => [contact_id, { id, isNew: false }]))
  const missing = ids.filter((id) => !taken.has(id))
  if (missing.length === 0) return taken
  const tickets = await insertTickets(
    tx,
    missing.map((contactId) => ({ id: newId(), contactId })),
    assigneeId,
  )
  for (const { id, contact_id } of tickets) taken.set(contact_id, { id, isNew: true })
  await emitMany(tx, ticketOpened, tickets)
  return taken
}
