import type { api as types } from '@frontdesk/sdk'
import { isStoredFile, type Sampled, sampleFilesOf } from '../../records/templates/stored-files.ts'
import { type Components, keyOf, type Slot, slotsOf, valueAt } from '../../records/templates/template-parts.ts'

/** The source of a variable: fixed text, or a contact field with a fallback. */
export type ValueSource = { kind: 'text'; text: string } | { kind: 'field'; field: string; otherwise: string }

type Given = Record<string, string>

export const customField = 'custom_fields.'

const wholeField = /^\{\{\s*contact\.([^{}|]+?)\s*(?:\|\s*([^{}|]*?)\s*)?\}\}$/
const anyField = /\{\{\s*contact\.([^{}|]+?)\s*(?:\|\s*([^{}|]*?)\s*)?\}\}/g

function readValue(value: string): ValueSource {
  const [whole, field = '', otherwise = ''] = wholeField.exec(value) ?? []
  return whole ? { kind: 'field', field, otherwise } : { kind: 'text', text: value }
}

/** Whether contacts can have different values. Files, codes, places and products are the same for all. */
export const isPersonal = ({ kind }: Slot): boolean => kind === 'text' || kind === 'url'

/** Default: `{{1}}` of a text is the name, a named variable the custom field of that name; a file is the sample. */
function usualSource(slot: Slot, files: Given): ValueSource {
  const { kind, name } = slot
  const file = files[keyOf(slot)]
  if (!isPersonal(slot)) return { kind: 'text', text: file && isStoredFile(file) ? file : '' }
  if (name === '1' && kind === 'text') return { kind: 'field', field: 'name', otherwise: '' }
  return /^\d+$/.test(name)
    ? { kind: 'text', text: '' }
    : { kind: 'field', field: `${customField}${name}`, otherwise: '' }
}

/** Values for the variables of a template, keeping earlier choices. */
export function sourcesFor(template: Sampled, given: Given | null): Record<string, ValueSource> {
  const files = sampleFilesOf(template)
  return Object.fromEntries(
    slotsOf(template.components).map((slot) => {
      const chosen = given ? valueAt(given, slot) : undefined
      return [keyOf(slot), chosen === undefined ? usualSource(slot, files) : readValue(chosen)]
    }),
  )
}

export function toValue(source: ValueSource): string {
  if (source.kind === 'text') return source.text.trim()
  const otherwise = source.otherwise.trim()
  return `{{contact.${source.field}${otherwise ? `|${otherwise}` : ''}}}`
}

const isBlank = (source: ValueSource | undefined): boolean =>
  !source || (source.kind === 'text' ? source.text.trim() === '' : source.field === '')

const firstNameOf = ({ first_name, name }: types.Contact) => first_name?.trim() || name.trim().split(/\s+/)[0]

function memberOf(contact: types.Contact, field: string): string {
  const value = field.startsWith(customField)
    ? contact.custom_fields[field.slice(customField.length)]
    : { name: contact.name, first_name: firstNameOf(contact), phone_number: contact.phone_number }[field]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : ''
}

/** The value for a contact; undefined if the field is empty and there is no fallback. */
export function valueFor(source: ValueSource | undefined, contact: types.Contact): string | undefined {
  if (!source) return undefined
  let isWhole = true
  const value = toValue(source).replace(anyField, (_, field: string, otherwise?: string) => {
    const member = memberOf(contact, field) || otherwise || ''
    if (!member) isWhole = false
    return member
  })
  return isWhole && value ? value : undefined
}

/** The values that a message still needs. */
export const lackingSlots = (components: Components, sources: Record<string, ValueSource>): Slot[] =>
  slotsOf(components).filter((slot) => !slot.isOptional && isBlank(sources[keyOf(slot)]))

/** Stand-ins for values that are the same for all contacts: how many get the message does not depend on them. */
const standIns: Record<string, string> = {
  media: 'https://example.com/file',
  otp: '0',
  code: '0',
  latitude: '0',
  longitude: '0',
  offer: '2100-01-01T00:00:00Z',
  products: 'A: 1',
}

/** The values as a forecast of the audience needs them: a missing file is not a value that contacts lack. */
export const withStandIns = (
  components: Components,
  sources: Record<string, ValueSource>,
): Record<string, ValueSource> => ({
  ...sources,
  ...Object.fromEntries(
    lackingSlots(components, sources)
      .filter((slot) => !isPersonal(slot))
      .map(({ kind, name, ...slot }) => [
        keyOf({ ...slot, name }),
        { kind: 'text' as const, text: standIns[kind] ?? standIns[name] ?? '' },
      ]),
  ),
})

/** The custom fields of these contacts. */
export const fieldsOf = (contacts: types.Contact[]): string[] =>
  [...new Set(contacts.flatMap(({ custom_fields }) => Object.keys(custom_fields)))].sort()
