import type { TenantTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { contactDeleted } from './events.ts'
import { deleteContactRow } from './queries.ts'

/** Deletes its activities, tasks, tickets and messages; calls and deliveries stay, unlinked. */
export async function deleteContact(tx: TenantTx, id: string): Promise<void> {
  const contact = found(await deleteContactRow(tx, id), 'Contact')
  await emit(tx, contactDeleted, contact)
}
