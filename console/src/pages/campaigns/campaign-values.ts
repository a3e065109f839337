import type { api as types } from '@frontdesk/sdk'
import { type Components, keyOf, type Slot, slotsOf } from '../../records/templates/template-parts.ts'

/** What stands in for a variable: words, or a field of the contact with words for those who have none. */
export type ValueSource = { kind: 'text'; text: string } | { kind: 'field'; field: string; otherwise: string }

type Given = Record<string, string>

export const customField = 'custom_fields.'

const wholeField = /^\{\{\s*contact\.([^{}|]+?)\s*(?:\|\s*([^{}|]*?)\s*)?\}\}$/
const anyField = /\{\{\s*contact\.([^{}|]+?)\s*(?:\|\s*([^{}|]*?)\s*)?\}\}/g

function readValue(value: string): ValueSource {
  const [whole, field = '', otherwise = ''] = wholeField.exec(value) ?? []
  return whole ? { kind: 'field', field, otherwise } : { kind: 'text', text: value }
}

/** Without a wish, the first is the name and any other the custom field that is called so. */
const usualSource = ({ where, name }: Slot): ValueSource => {
  if (name === '') return { kind: 'text', text: '' }
  if (name === '1' && !where.startsWith('button')) return { kind: 'field', field: 'name', otherwise: '' }
  return /^\d+$/.test(name)
    ? { kind: 'text', text: '' }
    : { kind: 'field', field: `${customField}${name}`, otherwise: '' }
}

/** What the places of a template are filled with, given what was wished for before. */
export function sourcesFor(components: Components, given: Given | null): Record<string, ValueSource> {
  return Object.fromEntries(
    slotsOf(components).map((slot) => {
      const wish = given?.[keyOf(slot)] ?? given?.[slot.name || slot.where]
      return [keyOf(slot), wish === undefined ? usualSource(slot) : readValue(wish)]
    }),
  )
}

export function toValue(source: ValueSource): string {
  if (source.kind === 'text') return source.text.trim()
  const otherwise = source.otherwise.trim()
  return `{{contact.${source.field}${otherwise ? `|${otherwise}` : ''}}}`
}

export const isBlank = (source: ValueSource | undefined): boolean =>
  !source || (source.kind === 'text' ? source.text.trim() === '' : source.field === '')

function memberOf(contact: types.Contact, field: string): string {
  const value = field.startsWith(customField)
    ? contact.custom_fields[field.slice(customField.length)]
    : { name: contact.name, phone_number: contact.phone_number }[field]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : ''
}

/** What this contact would read there; nothing where something is not known and no words stand in. */
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

/** The custom fields that these contacts have, for choosing one. */
export const fieldsOf = (contacts: types.Contact[]): string[] =>
  [...new Set(contacts.flatMap(({ custom_fields }) => Object.keys(custom_fields)))].sort()
