import type { TenantTx } from '../../../platform/database.ts'
import { emit, emitMany } from '../../../platform/events.ts'
import { ticketUpdated } from '../events.ts'
import { Ticket } from './schema.ts'
import { lockTickets, ticketColumns } from './ticket-queries.ts'

/** Reads a ticket that another feature has changed in this transaction and, if it has, emits the event. */
export async function announceTicket(tx: TenantTx, id: string, previous: Partial<Ticket> | undefined): Promise<Ticket> {
  const ticket = await tx.one(Ticket)`select ${ticketColumns} from tickets where id = ${id}`
  if (previous) await emit(tx, ticketUpdated, ticket, previous)
  return ticket
}

/** The same for a set, to all of which the same happened. */
export async function announceTickets(tx: TenantTx, ids: string[], previous: Partial<Ticket>): Promise<void> {
  const tickets = await lockTickets(tx, ids)
  await emitMany(
    tx,
    ticketUpdated,
    tickets,
    tickets.map(() => previous),
  )
}
