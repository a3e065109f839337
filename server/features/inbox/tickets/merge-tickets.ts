import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import type { MergedPair } from '../../../platform/personal-data.ts'
import { ticketClosed } from '../events.ts'
import { closeEmptied, joinTickets, lockTicketsOf, moveTickets } from './merge-queries.ts'

/**
 * The tickets of a contact that is merged into another one. If both have open tickets, the oldest goes on with all
 * messages; the open ones of the other contact are closed, empty.
 */
export async function mergeTickets(tx: TenantTx, { from, into }: MergedPair): Promise<void> {
  const tickets = await lockTicketsOf(tx, [from, into])
  const open = tickets.filter(({ status }) => status === 'open')
  const [oldest] = open
  const emptied = open.filter(({ contact_id }) => contact_id !== oldest?.contact_id).map(({ id }) => id)
  await moveTickets(tx, { from, into })
  if (!oldest || emptied.length === 0) return
  await joinTickets(tx, oldest.id, emptied)
  const closed = await closeEmptied(tx, emptied)
  await emitMany(
    tx,
    ticketClosed,
    closed,
    closed.map(() => ({ status: 'open' as const })),
  )
}
