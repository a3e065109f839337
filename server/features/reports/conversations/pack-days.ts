import type { Database } from '../../../platform/database.ts'
import { findStaleDays, forgetStaleDays, lockPacking, replacePacked, spreadStaleContacts } from './pack-queries.ts'

const daysPerTransaction = 20

/**
 * Packs the conversations of days that ended, and again those of days that changed since. What changes meanwhile leaves
 * its mark: marks are deleted before the conversations are read.
 */
export async function packDays(database: Database, signal: AbortSignal): Promise<void> {
  await database.inSystem(async (tx) => {
    await lockPacking(tx)
    await spreadStaleContacts(tx)
  })
  let packed = -1
  while (packed !== 0 && !signal.aborted)
    packed = await database.inSystem(async (tx) => {
      await lockPacking(tx)
      const days = await findStaleDays(tx, daysPerTransaction)
      if (days.length === 0) return 0
      await forgetStaleDays(tx, days)
      await replacePacked(tx, days)
      return days.length
    })
}
