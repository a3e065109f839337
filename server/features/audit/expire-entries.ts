import type { Database } from '../../platform/database.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import { deleteEntriesBelow } from './queries.ts'

const batchSize = 5_000

/** Removes entries past the retention. The database refuses to delete those of the last 30 days. */
export async function expireEntries(database: Database, retentionDays: number, signal: AbortSignal): Promise<void> {
  const oldestKept = lowestIdAt(new Date(Date.now() - retentionDays * 24 * 3600 * 1000))
  let removed: number
  do {
    removed = await database.inSystem((tx) => deleteEntriesBelow(tx, oldestKept, batchSize))
  } while (removed > 0 && !signal.aborted)
}
