import type { TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import { contactUpdated } from '../events.ts'
import { updateContactRow } from '../queries.ts'
import type { Contact } from '../schema.ts'

/** Gives a contact that has none the first name that the chat platform knows. */
export async function setFirstName(tx: TenantTx, contact: Contact, first_name: string): Promise<void> {
  const after = await updateContactRow(tx, { ...contact, first_name }, { isActive: false })
  await emit(tx, contactUpdated, after, { first_name: null })
}
