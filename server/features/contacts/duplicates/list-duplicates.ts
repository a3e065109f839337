import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { invalid } from '../../../platform/errors.ts'
import { getContact } from '../get-contact.ts'
import { spellingsOf } from '../senders/sender-numbers.ts'
import { addDistinctPair, findDuplicates } from './queries.ts'

export async function listDuplicates(sql: TenantSql, contactId: string) {
  const { phone_number } = await getContact(sql, contactId)
  const rows = await findDuplicates(sql, contactId, spellingsOf(phone_number))
  return { duplicates: rows.map(({ reasons, ...contact }) => ({ contact, reasons })) }
}

/** A member says that the two are different people: neither is suggested for the other again. */
export async function dismissDuplicate(tx: TenantTx, contactId: string, otherId: string) {
  if (contactId === otherId)
    throw invalid(['body', 'contact_id'], 'A contact is no duplicate of itself: send the id of another one')
  for (const id of [contactId, otherId]) await getContact(tx, id)
  await addDistinctPair(tx, [contactId, otherId])
  return listDuplicates(tx, contactId)
}
