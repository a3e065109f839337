import type { Database } from '../../../platform/database.ts'
import type { Embedders } from '../embedders.ts'
import { enqueueLater } from '../enqueue-indexing.ts'
import { findNeglected } from './queries.ts'

/** As many as are processed until the next sweep; the others wait in the table as well as in the queue. */
const atOnce = 500

/** Enqueues documents whose job was lost, and those whose vectors come from a model that is no longer used. */
export async function sweepDocuments(database: Database, embedders: Embedders): Promise<void> {
  const models = { test: embedders.current(false).model, live: embedders.current(true).model }
  await database.inSystem(async (tx) => {
    for (const document of await findNeglected(tx, models, atOnce)) {
      const { organization_id: organizationId, livemode } = document
      await enqueueLater(tx, { organizationId, livemode }, document)
    }
  })
}
