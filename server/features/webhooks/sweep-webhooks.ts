import type { Database } from '../../platform/database.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import { deleteDeliveriesBelow, deleteOrphans, removeDeletedWebhooks } from './sweep-queries.ts'

const batchSize = 5_000

/** Deletes deliveries past the retention of events, and everything that belongs to deleted webhooks. */
export async function sweepWebhooks(database: Database, retentionDays: number, signal: AbortSignal): Promise<void> {
  const oldestKept = lowestIdAt(new Date(Date.now() - retentionDays * 24 * 3600 * 1000))
  for (const remove of [
    () => database.inSystem((tx) => deleteDeliveriesBelow(tx, oldestKept, batchSize)),
    () => database.inSystem((tx) => deleteOrphans(tx, batchSize)),
  ])
    while (!signal.aborted && (await remove()) > 0);
  await database.inSystem(removeDeletedWebhooks)
}
