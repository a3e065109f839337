import type { TenantTx } from '../../platform/database.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { createPhoneNumbers } from '../../platform/phone-numbers.ts'
import { lockContact } from './queries.ts'
import { limits } from './schema.ts'
import { changeContact } from './update-contact.ts'

/** `field` is `name` or `custom_fields.` and a name. */
interface GivenField {
  field: string
  value: unknown
  overwrite: boolean
}

type FillStatus = 'written' | 'unchanged' | 'kept' | 'invalid' | 'no_contact'

/** No number is changed, so the default country does not matter. */
const phones = createPhoneNumbers(undefined)

/** Characters of JSON that one custom field can get. */
const longestValue = 4096

/** Fills fields of a contact, those that have a value only if the caller asks for it. Says what became of each. */
export async function fillFields(
  tx: TenantTx,
  contactId: string | null,
  fields: GivenField[],
  actor: Actor,
): Promise<FillStatus[]> {
  const contact = contactId === null ? undefined : await lockContact(tx, contactId)
  if (!contact) return fields.map(() => 'no_contact')
  const custom: Record<string, unknown> = { ...contact.custom_fields }
  let { name } = contact
  const statuses = fields.map(({ field, value, overwrite }): FillStatus => {
    const isName = field === 'name'
    const key = field.slice('custom_fields.'.length)
    const present = isName ? name : Object.hasOwn(custom, key) ? custom[key] : undefined
    const wanted = typeof value === 'string' ? value.trim() : value
    if (isName ? !isNameOf(wanted) : !isCustomValue(wanted)) return 'invalid'
    if (JSON.stringify(present) === JSON.stringify(wanted)) return 'unchanged'
    if (!isEmpty(present) && !overwrite) return 'kept'
    if (isName) name = wanted as string
    else Object.defineProperty(custom, key, { value: wanted, enumerable: true, configurable: true, writable: true })
    return 'written'
  })
  if (statuses.includes('written'))
    await changeContact(tx, contact.id, { name, custom_fields: custom }, { actor, phones })
  return statuses
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

const isNameOf = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= limits.nameCharacters

const isCustomValue = (value: unknown): boolean => !isEmpty(value) && JSON.stringify(value).length <= longestValue
