import type { Database } from '../../../platform/database.ts'
import { assignTicket } from './assign-ticket.ts'
import { findTicketsToAssign } from './queries.ts'

/** Assigns what waits for an assignee, in one organization or in all of them. */
export async function assignWaiting(
  database: Database,
  organizationId: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (const { organization_id, livemode, id } of await findTicketsToAssign(database.forSystem(), organizationId)) {
    signal.throwIfAborted()
    await database.inTenant({ organizationId: organization_id, livemode }, (tx) => assignTicket(tx, id))
  }
}
