import type { Database } from '../../../platform/database.ts'
import { expireRows } from '../../../platform/expire-rows.ts'
import { deleteDeliveriesBelow, deleteOrphans, removeDeletedWebhooks } from './sweep-queries.ts'

const batchSize = 5_000

/** Deletes deliveries past the retention of events, and everything that belongs to deleted webhooks. */
export async function sweepWebhooks(database: Database, retentionDays: number, signal: AbortSignal): Promise<void> {
  await expireRows(database.inSystem, { retentionDays, signal }, deleteDeliveriesBelow)
  while (!signal.aborted && (await database.inSystem((tx) => deleteOrphans(tx, batchSize))) > 0);
  await database.inSystem(removeDeletedWebhooks)
}
