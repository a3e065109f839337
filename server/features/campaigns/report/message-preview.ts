import {
  bodyTextOf,
  buttonsOf,
  cardsOf,
  componentOf,
  type TemplateComponents,
  textIn,
  wordOf,
} from '../../templates/content/parts.ts'
import { valueFor } from '../../templates/content/slots.ts'
import { readValue } from '../../templates/content/values.ts'
import type { TemplateVariables } from '../../templates/schema.ts'

/** A part of a message: text as the customer reads it, or the name of a placeholder. */
export interface PreviewPiece {
  text: string
  isPlaceholder: boolean
}

export type PreviewCard = Pick<MessagePreview, 'media' | 'body' | 'buttons'>

/** A template as it appears in the customer's chat. */
export interface MessagePreview {
  /** For a file header: IMAGE, VIDEO, DOCUMENT or LOCATION. */
  media: string | null
  header: PreviewPiece[]
  /** The heading of a limited-time offer. */
  offer: string
  body: PreviewPiece[]
  footer: string
  buttons: string[]
  /** The cards of a carousel. */
  cards: PreviewCard[]
  /** Whether a recipient's values fill the variables. */
  isExample: boolean
}

interface Filling {
  /** Of one message that was sent or will be. */
  example: TemplateVariables | null
  /** The campaign's values for the variables. */
  given: TemplateVariables | null
}

export function previewOf(components: TemplateComponents, filling: Filling): MessagePreview {
  const part = (type: string) => componentOf(components, type)
  const offer = part('LIMITED_TIME_OFFER')?.limited_time_offer as { text?: unknown } | undefined
  return {
    ...cardOf(components, '', filling),
    header: fill(textIn(part('HEADER')?.text), 'header', filling),
    offer: textIn(offer?.text),
    footer: footerOf(part('FOOTER')),
    cards: cardsOf(part('CAROUSEL') ?? {}).map((card, i) => cardOf(card, `card.${i}.`, filling)),
    isExample: filling.example !== null && Object.keys(filling.example).length > 0,
  }
}

/** What a message and a card have in common; `card` is how the variables of a card are addressed. */
function cardOf(components: TemplateComponents, card: string, filling: Filling): PreviewCard {
  const header = componentOf(components, 'HEADER')
  const format = wordOf(header?.format)
  return {
    media: header && format !== '' && format !== 'TEXT' ? format : null,
    body: fill(bodyTextOf(components), `${card}body`, filling),
    buttons: components
      .flatMap(buttonsOf)
      .map(({ text, type }) => (typeof text === 'string' && text !== '' ? text : labels[wordOf(type)]))
      .filter((label) => label !== undefined),
  }
}

/** The platform writes the footer of authentication templates. */
function footerOf(footer: Record<string, unknown> | undefined): string {
  const minutes = footer?.code_expiration_minutes
  if (textIn(footer?.text) !== '' || typeof minutes !== 'number') return textIn(footer?.text)
  return `This code expires in ${minutes} minutes.`
}

/** What the chat shows on buttons without a text of their own. */
const labels: Record<string, string> = {
  COPY_CODE: 'Copy offer code',
  OTP: 'Copy code',
  CATALOG: 'View catalog',
  MPM: 'View items',
}

const variable = /\{\{\s*([^{}]*?)\s*\}\}/

function fill(text: string, where: string, { example, given }: Filling): PreviewPiece[] {
  // Every second part is the name of a variable.
  return text
    .split(variable)
    .flatMap((part, i): PreviewPiece[] => {
      if (i % 2 === 0) return [{ text: part, isPlaceholder: false }]
      const slot = { kind: 'text' as const, where, name: part }
      const value = valueFor(slot, example ?? {})
      if (value !== undefined) return [{ text: value, isPlaceholder: false }]
      const givenValue = valueFor(slot, given ?? {})
      return givenValue === undefined ? [{ text: usualName(part), isPlaceholder: true }] : describe(givenValue)
    })
    .filter(({ text: each }) => each !== '')
}

const usualName = (name: string) => (name === '1' ? 'name' : name)

/** The parts of a value: literal text, and contact fields by name. */
function describe(value: string): PreviewPiece[] {
  const pieces = readValue(value)
  if (!pieces) return [{ text: value, isPlaceholder: true }]
  return pieces.map((piece) => {
    if ('text' in piece) return { text: piece.text, isPlaceholder: false }
    if ('customField' in piece) return { text: piece.customField, isPlaceholder: true }
    return { text: piece.field.replace('_', ' '), isPlaceholder: true }
  })
}
