/** Values as callers write them: text that may contain fields of the contact, as in `Hi {{contact.first_name|there}}`. */

/** A part of a value: literal text, or a field of the contact with a fallback. */
export type Piece = { text: string } | ContactPiece
type ContactField = 'name' | 'first_name' | 'phone_number'
export type ContactPiece = ({ field: ContactField } | { customField: string }) & { otherwise?: string }

export const contactSyntax =
  '{{contact.name}}, {{contact.first_name}}, {{contact.phone_number}} and {{contact.custom_fields.x}}'

const invisible = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a reader would see nothing. */
export const isBlank = (text: string): boolean => invisible.test(text)

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/
const customField = 'contact.custom_fields.'
const fields: ContactField[] = ['name', 'first_name', 'phone_number']

/** The parts of a value as the caller wrote it; nothing when it refers to an unknown contact field. */
export function readValue(value: string): Piece[] | undefined {
  const pieces: Piece[] = []
  // Every second part is what was between braces.
  for (const [i, part] of value.split(placeholder).entries()) {
    if (i % 2 === 0) {
      if (/\{\{|\}\}/.test(part)) return undefined
      if (part !== '') pieces.push({ text: part.replace(/\s+/g, ' ') })
    } else {
      const piece = readContactPiece(part)
      if (!piece) return undefined
      pieces.push(piece)
    }
  }
  return pieces
}

function readContactPiece(inside: string): ContactPiece | undefined {
  const [, member = '', words] = /^([^|]*?)(?:\s*\|\s*([^|]*))?$/.exec(inside) ?? []
  // A blank fallback would send something blank.
  if (words !== undefined && isBlank(words)) return undefined
  const otherwise = words === undefined ? {} : { otherwise: words.replace(/\s+/g, ' ') }
  const field = fields.find((name) => member === `contact.${name}`)
  if (field) return { field, ...otherwise }
  if (member.startsWith(customField) && member.length > customField.length)
    return { customField: member.slice(customField.length), ...otherwise }
  return undefined
}

/** The members of a contact that a value can refer to. */
interface FillingContact {
  name: string
  first_name: string | null
  phone_number: string
  custom_fields: Record<string, unknown>
}

/** The value for this contact. All or nothing: if any part has no value, there is none. */
export function filledFrom(pieces: Piece[], contact: FillingContact): string | undefined {
  const parts = pieces.map((piece) => ('text' in piece ? piece.text : memberOr(piece, contact)))
  return parts.includes(undefined) ? undefined : fillable(parts.join(''))
}

const memberOr = (piece: ContactPiece, contact: FillingContact): string | undefined =>
  fillable(memberOf(piece, contact)) ?? piece.otherwise

function memberOf(piece: ContactPiece, contact: FillingContact): unknown {
  if ('customField' in piece) return contact.custom_fields[piece.customField]
  if (piece.field !== 'first_name') return contact[piece.field]
  return fillable(contact.first_name) ?? fillable(contact.name)?.split(' ', 1)[0]
}

/** Lists, objects and blank strings cannot be used in a message. */
const fillable = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value)
    ? String(value).replace(/\s+/g, ' ').trim() || undefined
    : undefined
