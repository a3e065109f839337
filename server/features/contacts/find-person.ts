import type { TenantTx } from '../../platform/database.ts'
import type { Person } from '../../platform/personal-data.ts'
import { listAddresses } from './identities/identity-queries.ts'
import { listMergedIds } from './merging/merge-queries.ts'
import { lockContact } from './queries.ts'
import { spellingsOf } from './senders/sender-numbers.ts'

/** The contact with everything that records may know it by. Locked, so that nothing about it can be added. */
export async function findPerson(tx: TenantTx, contactId: string): Promise<Person | undefined> {
  const [contact, addresses, merged] = await Promise.all([
    lockContact(tx, contactId),
    listAddresses(tx, contactId),
    listMergedIds(tx, contactId),
  ])
  return (
    contact && {
      id: contact.id,
      mergedIds: merged.map(({ id }) => id),
      addresses: addresses.flatMap(({ kind, value }) =>
        kind === 'phone' ? spellingsOf(value) : kind === 'whatsapp_user_id' ? [value] : [],
      ),
    }
  )
}

/** A number in all its notations, and the platform's id of the person. */
export const addressesOf = (phoneNumber: string | null, userId: string | null): string[] => [
  ...(phoneNumber ? spellingsOf(phoneNumber) : []),
  ...(userId ? [userId] : []),
]
