import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import type { MergedPair } from '../../../platform/personal-data.ts'
import { columns } from '../queries.ts'
import { Contact } from '../schema.ts'
import { Duplicate } from './schema.ts'

const DuplicateRow = Type.Object({ ...Contact.properties, reasons: Duplicate.properties.reasons })

export const findDuplicates = (tx: TenantSql, contactId: string, numbers: string[]) =>
  tx.all(DuplicateRow)`
    select c.*, d.reasons
    from likely_duplicates(${contactId}, ${numbers}::text[]) with ordinality d (id, reasons, place)
      cross join lateral (select ${columns} from contacts where contacts.id = d.id) c
    order by d.place`

export const addDistinctPair = (tx: TenantTx, ids: [string, string]) => {
  const [lower, higher] = ids.toSorted()
  return tx.run`
    insert into distinct_contacts (contact_id, other_id) values (${lower}, ${higher}) on conflict do nothing`
}

/**
 * Copies the merged contact's pairs to the remaining contact: a contact that is no duplicate of the one is none of the
 * other. The old pairs are deleted with the merged contact.
 */
export const joinDistinctPairs = (tx: TenantTx, { from, into }: MergedPair) =>
  tx.run`
    insert into distinct_contacts (contact_id, other_id, decided_at)
    select least(${into}::uuid, third), greatest(${into}::uuid, third), decided_at
    from (select case contact_id when ${from} then other_id else contact_id end as third, decided_at
      from distinct_contacts where contact_id = ${from} or other_id = ${from}) pair
    where third <> ${into}
    on conflict do nothing`
