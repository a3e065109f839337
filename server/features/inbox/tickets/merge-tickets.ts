import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import type { MergedPair } from '../../../platform/personal-data.ts'
import { ticketClosed } from '../events.ts'
import { closeEmptied, detachCopies, joinTickets, lockTicketsOf, moveTickets } from './merge-queries.ts'

/**
 * Moves the tickets of a contact that is merged into another one. If both have open tickets, the oldest gets all
 * messages and stays open; the open ones of the other contact are then empty and closed. The same happens to
 * conversations that were copied from the WhatsApp Business app: a contact has one for each channel.
 */
export async function mergeTickets(tx: TenantTx, { from, into }: MergedPair): Promise<void> {
  const tickets = await lockTicketsOf(tx, [from, into])
  const copyOf = new Map(
    tickets.flatMap(({ id, contact_id, copied_from }) =>
      contact_id === into && copied_from ? [[copied_from, id]] : [],
    ),
  )
  const copies = tickets.filter(({ contact_id, copied_from }) => contact_id === from && copyOf.has(copied_from ?? ''))
  for (const { id, copied_from } of copies) await joinTickets(tx, copyOf.get(copied_from as string) as string, [id])
  await detachCopies(
    tx,
    copies.map(({ id }) => id),
  )
  await moveTickets(tx, { from, into })

  const open = tickets.filter((ticket) => ticket.status === 'open' && !copies.includes(ticket))
  const [oldest] = open
  const second = open.filter(({ contact_id }) => contact_id !== oldest?.contact_id)
  if (oldest && second.length > 0)
    await joinTickets(
      tx,
      oldest.id,
      second.map(({ id }) => id),
    )
  const emptied = [...copies, ...second]
  if (emptied.length === 0) return
  const wereOpen = new Set(emptied.filter(({ status }) => status === 'open').map(({ id }) => id))
  const all = await closeEmptied(
    tx,
    emptied.map(({ id }) => id),
  )
  const closed = all.filter(({ id }) => wereOpen.has(id))
  await emitMany(
    tx,
    ticketClosed,
    closed,
    closed.map(() => ({ status: 'open' as const })),
  )
}
