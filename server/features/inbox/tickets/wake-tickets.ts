import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { ticketWoken } from '../events.ts'
import { clearSnoozed } from './ticket-queries.ts'

/**
 * Ends the snooze of tickets: when their contact writes, or, with `isDue`, of those whose time has come. A ticket that
 * was snoozed again until later stays snoozed: that time has a job of its own.
 */
export async function wakeTickets(tx: TenantTx, ids: string[], { isDue }: { isDue: boolean }): Promise<void> {
  await emitMany(tx, ticketWoken, await clearSnoozed(tx, ids, isDue))
}
