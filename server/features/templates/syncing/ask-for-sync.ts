import type { TenantTx } from '../../../platform/database.ts'
import { enqueueSync } from '../job-kinds.ts'
import { queueSyncs } from './account-queries.ts'

/** Enqueues a sync of the business accounts, except those that already wait for one. */
export async function askForSync(tx: TenantTx, businessAccountIds: string[], seconds = 0): Promise<void> {
  if (businessAccountIds.length === 0) return
  const queued = await queueSyncs(tx, businessAccountIds)
  await Promise.all(queued.map(({ business_account_id }) => enqueueSync(tx, tx.scope, business_account_id, seconds)))
}
