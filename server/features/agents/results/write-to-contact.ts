import type { TenantTx } from '../../../platform/database.ts'
import { fillFields } from '../../contacts/fill-fields.ts'
import type { OpenAgent } from '../answering/turn.ts'
import type { Assessed } from './assessed.ts'
import type { Results } from './schema.ts'

/** Writes extracted properties to the fields of the contact that they are mapped to. Locks the contact. */
export async function writeToContact(
  tx: TenantTx,
  contactId: string | null,
  { agent, assessed }: { agent: OpenAgent; assessed: Assessed },
): Promise<Results> {
  const { extracted } = assessed.results
  const fields = agent.config.results.contact_fields.flatMap((mapping) =>
    extracted && Object.hasOwn(extracted, mapping.property) ? [{ ...mapping, value: extracted[mapping.property] }] : [],
  )
  const statuses = fields.length === 0 ? [] : await fillFields(tx, contactId, fields, { type: 'ai', id: agent.id })
  return {
    ...assessed.results,
    contact_fields: fields.map(({ property, field, value }, index) => ({
      property,
      field,
      value,
      status: statuses[index] ?? 'no_contact',
    })),
  }
}
