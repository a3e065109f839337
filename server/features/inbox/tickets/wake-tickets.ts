import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { ticketWoken } from '../events.ts'
import { clearSnoozed } from './ticket-queries.ts'

/**
 * Brings snoozed tickets back: when their contact writes, or, with `isDue`, those whose time has come. A ticket that was
 * snoozed again for later sleeps on until the job of that time.
 */
export async function wakeTickets(tx: TenantTx, ids: string[], { isDue }: { isDue: boolean }): Promise<void> {
  await emitMany(tx, ticketWoken, await clearSnoozed(tx, ids, isDue))
}
