import type { TemplateVariables } from '../../templates/schema.ts'
import { buttonsOf, readValue, type TemplateComponents, valueFor, wordOf } from '../../templates/slots.ts'

/** A piece of a message: text as the customer reads it, or the name of what will stand there. */
export interface PreviewPiece {
  text: string
  isPlaceholder: boolean
}

/** A template as it stands in the customer's chat. */
export interface MessagePreview {
  /** Of a header that is a file: IMAGE, VIDEO, DOCUMENT or LOCATION. */
  media: string | null
  header: PreviewPiece[]
  body: PreviewPiece[]
  footer: string
  buttons: string[]
  /** Whether somebody's values stand in for the variables. */
  isExample: boolean
}

interface Filling {
  /** Of one message that was sent or is going to be. */
  example: TemplateVariables | null
  /** What the campaign's creator wishes to stand in for the variables. */
  given: TemplateVariables | null
}

export function previewOf(components: TemplateComponents, filling: Filling): MessagePreview {
  const part = (wanted: string) => components.find(({ type }) => wordOf(type) === wanted)
  const textOf = (wanted: string) => {
    const text = part(wanted)?.text
    return typeof text === 'string' ? text : ''
  }
  const header = part('HEADER')
  const format = wordOf(header?.format)
  return {
    media: header && format !== '' && format !== 'TEXT' ? format : null,
    header: fill(textOf('HEADER'), 'header', filling),
    body: fill(textOf('BODY'), 'body', filling),
    footer: textOf('FOOTER'),
    buttons: components
      .flatMap(buttonsOf)
      .map(({ text, type }) => (typeof text === 'string' && text !== '' ? text : labels[wordOf(type)]))
      .filter((label) => label !== undefined),
    isExample: filling.example !== null && Object.keys(filling.example).length > 0,
  }
}

/** What the chat writes on buttons that have no text of their own. */
const labels: Record<string, string> = {
  COPY_CODE: 'Copy code',
  OTP: 'Copy code',
  CATALOG: 'View catalog',
  MPM: 'View items',
}

const variable = /\{\{\s*([^{}]*?)\s*\}\}/

function fill(text: string, where: string, { example, given }: Filling): PreviewPiece[] {
  // The names of variables come at every second place.
  return text
    .split(variable)
    .flatMap((part, i): PreviewPiece[] => {
      if (i % 2 === 0) return [{ text: part, isPlaceholder: false }]
      const slot = { kind: 'text' as const, where, name: part }
      const value = valueFor(slot, example ?? {})
      if (value !== undefined) return [{ text: value, isPlaceholder: false }]
      const wish = valueFor(slot, given ?? {})
      return wish === undefined ? [{ text: usualName(part), isPlaceholder: true }] : describe(wish)
    })
    .filter(({ text: each }) => each !== '')
}

const usualName = (name: string) => (name === '1' ? 'name' : name)

/** What a value will be made of: words as they are, and what comes from the contact by its name. */
function describe(value: string): PreviewPiece[] {
  const pieces = readValue(value)
  if (!pieces) return [{ text: value, isPlaceholder: true }]
  return pieces.map((piece) => {
    if ('text' in piece) return { text: piece.text, isPlaceholder: false }
    if ('customField' in piece) return { text: piece.customField, isPlaceholder: true }
    return { text: piece.field === 'name' ? 'name' : 'phone number', isPlaceholder: true }
  })
}
