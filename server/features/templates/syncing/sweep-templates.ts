import type { Database } from '../../../platform/database.ts'
import { enqueueRegistration, enqueueSync } from '../job-kinds.ts'
import { takeForgotten } from '../registering/registration-queries.ts'
import { forgetDeleted, takeDueAccounts } from './account-queries.ts'

/** As many as one transaction should enqueue. */
const batch = 200

/**
 * Every account is synced each quarter of an hour, the longest waiting first; each in its own job, so that a slow one
 * delays no other. Registrations whose job was lost get a new one.
 */
export async function sweepTemplates(database: Database, signal: AbortSignal): Promise<void> {
  await inBatches(signal, () =>
    database.inSystem(async (tx) => {
      const due = await takeDueAccounts(tx, batch)
      await Promise.all(due.map((each) => enqueueSync(tx, scopeOf(each), each.business_account_id)))
      return due.length
    }),
  )
  await inBatches(signal, () =>
    database.inSystem(async (tx) => {
      const forgotten = await takeForgotten(tx, batch)
      await Promise.all(forgotten.map((each) => enqueueRegistration(tx, scopeOf(each), each.id)))
      return forgotten.length
    }),
  )
  await forgetDeleted(database.forSystem())
}

const scopeOf = ({ organization_id, livemode }: { organization_id: string; livemode: boolean }) => ({
  organizationId: organization_id,
  livemode,
})

async function inBatches(signal: AbortSignal, take: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await take()) === batch);
}
