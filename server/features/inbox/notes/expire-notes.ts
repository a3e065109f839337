import type { TenantTx } from '../../../platform/database.ts'
import { removeActivities } from '../../contacts/timeline/change-activities.ts'
import { deleteOldNotes, lockContactsOfOldNotes } from './queries.ts'

/** Deletes old notes with their entries in the timeline. */
export async function expireNotes(tx: TenantTx, oldestKept: string, batchSize: number): Promise<number> {
  await lockContactsOfOldNotes(tx, oldestKept, batchSize)
  const gone = await deleteOldNotes(tx, oldestKept, batchSize)
  await removeActivities(
    tx,
    gone.map(({ activity_id }) => activity_id),
  )
  return gone.length
}
