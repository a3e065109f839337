import type { TenantTx } from '../../platform/database.ts'
import { emit } from '../../platform/events.ts'
import { contactDeleted } from './events.ts'
import { existing } from './merging/existing-contact.ts'
import { deleteContactRow } from './queries.ts'

/** Deletes its activities, tasks, tickets and messages; calls and deliveries stay, unlinked. */
export async function deleteContact(tx: TenantTx, id: string): Promise<void> {
  const contact = await existing(tx, id, deleteContactRow(tx, id))
  await emit(tx, contactDeleted, contact)
}
