import type { Database } from '../../../platform/database.ts'
import { erasePersonJob } from '../job-kinds.ts'
import { listUnfinished } from './queries.ts'

/** Enqueues erasures again that have waited for long. One that another worker is doing is done once all the same. */
export async function resumeErasures(database: Database): Promise<void> {
  await database.inSystem(async (tx) => {
    for (const { id: erasure_id, ...scope } of await listUnfinished(tx))
      await tx.enqueue(erasePersonJob, { ...scope, erasure_id }, { singletonKey: erasure_id })
  })
}
