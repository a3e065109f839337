import type { api as types } from '@frontdesk/sdk'
import { type Components, keyOf, type Slot, slotsOf } from '../../records/templates/template-parts.ts'

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

/** Default: the first variable is the name, others the custom field of the same name. */
const usualSource = ({ where, name }: Slot): ValueSource => {
  if (name === '') return { kind: 'text', text: '' }
  if (name === '1' && (where === 'body' || where === 'header')) return { kind: 'field', field: 'name', otherwise: '' }
  return /^(\d+|latitude|longitude|address|expires_at|products)$/.test(name)
    ? { kind: 'text', text: '' }
    : { kind: 'field', field: `${customField}${name}`, otherwise: '' }
}

/** Values for the variables of a template, keeping earlier choices. */
export function sourcesFor(components: Components, given: Given | null): Record<string, ValueSource> {
  return Object.fromEntries(
    slotsOf(components).map((slot) => {
      const chosen = given?.[keyOf(slot)] ?? given?.[slot.name || slot.where]
      return [keyOf(slot), chosen === undefined ? usualSource(slot) : readValue(chosen)]
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

/** The custom fields of these contacts. */
export const fieldsOf = (contacts: types.Contact[]): string[] =>
  [...new Set(contacts.flatMap(({ custom_fields }) => Object.keys(custom_fields)))].sort()
