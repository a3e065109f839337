import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { contactUpdated } from '../events.ts'
import { updateFirstNames } from './sender-queries.ts'

/** Gives contacts that have none, and are locked by the caller, the first names that the chat platform knows, by id. */
export async function setFirstNames(tx: TenantTx, names: Map<string, string>): Promise<void> {
  if (names.size === 0) return
  const written = await updateFirstNames(tx, [...names.keys()], [...names.values()])
  await emitMany(
    tx,
    contactUpdated,
    written,
    written.map(() => ({ first_name: null })),
  )
}
