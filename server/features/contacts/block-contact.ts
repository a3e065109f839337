import type { TenantTx } from '../../platform/database.ts'
import { emit } from '../../platform/events.ts'
import { contactBlocked, contactUnblocked } from './events.ts'
import { setBlocked } from './queries.ts'
import type { Contact } from './schema.ts'

/** Blocks or unblocks a contact that the caller has locked; undefined and the present state change nothing. */
export async function blockContact(tx: TenantTx, contact: Contact, isBlocked: boolean | undefined): Promise<Contact> {
  if (isBlocked === undefined || isBlocked === (contact.blocked_at !== null)) return contact
  const after = await setBlocked(tx, contact.id, isBlocked)
  await emit(tx, isBlocked ? contactBlocked : contactUnblocked, after, { blocked_at: contact.blocked_at })
  return after
}
