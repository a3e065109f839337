import type { Database } from '../../platform/database.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import { deleteEventsBelow } from './queries.ts'

const batchSize = 5_000

/** Removes events past the retention in batches, so that no transaction delays the subscribers for long. */
export async function expireEvents(database: Database, retentionDays: number, signal: AbortSignal): Promise<void> {
  const oldestKept = lowestIdAt(new Date(Date.now() - retentionDays * 24 * 3600 * 1000))
  let removed: number
  do {
    removed = await database.inSystem((tx) => deleteEventsBelow(tx, oldestKept, batchSize))
  } while (removed > 0 && !signal.aborted)
}
