import type { Database } from '../../../platform/database.ts'
import { erasePersonJob } from '../job-kinds.ts'
import { listUnfinished } from './queries.ts'

/**
 * Enqueues erasures again that have waited for long. Erasing is idempotent, so another worker may be doing one already.
 */
export async function resumeErasures(database: Database): Promise<void> {
  await database.inSystem(async (tx) => {
    for (const { id: erasure_id, ...scope } of await listUnfinished(tx))
      await tx.enqueue(erasePersonJob, { ...scope, erasure_id }, { singletonKey: erasure_id })
  })
}
