import type { api as types } from '@frontdesk/sdk'

/** The components of a template, in a form for pages. */

export type Components = Record<string, unknown>[]

type NewComponent = types.NewTemplate['components'][number]
export type ButtonType = NonNullable<NewComponent['buttons']>[number]['type']
export type HeaderFormat = NonNullable<NewComponent['format']>
export type OtpType = NonNullable<NonNullable<NewComponent['buttons']>[number]['otp_type']>

interface MessageButton {
  type: string
  text: string
  url?: string
  phone_number?: string
}

/** What WhatsApp shows on buttons without a text of their own. */
const buttonLabels: Record<string, string> = {
  COPY_CODE: 'Copy offer code',
  OTP: 'Copy code',
  CATALOG: 'View catalog',
  MPM: 'View items',
}
export const buttonLabel = ({ text, type }: MessageButton) => text || buttonLabels[type] || 'Button'

interface MessageParts {
  header: { format: HeaderFormat; text: string } | undefined
  /** The heading of a limited-time offer. */
  offer: { text: string; hasExpiration: boolean } | undefined
  body: string
  footer: string
  buttons: MessageButton[]
  /** The components of each card of a carousel. */
  cards: Components[]
  asksToCall: boolean
}

/** Where a value of a message goes: `{{1}}` of the body is `{ where: 'body', name: '1' }`. */
export interface Place {
  /** `header`, `body`, `button.0` for the first button, `limited_time_offer`; on a card after `card.0.`. */
  where: string
  /** The text between the braces, or the name of the value; empty for the file of a media header. */
  name: string
}

/** A variable of a template, or another value that its messages need. */
export interface Slot extends Place {
  /** Only texts and URLs can differ by contact. */
  kind: 'text' | 'url' | 'otp' | 'code' | 'media' | 'location' | 'offer' | 'products'
  /** A message can be sent without it. */
  isOptional?: true
  /** Of a file. */
  format?: HeaderFormat
}

export const keyOf = ({ where, name }: Place) => [where, name].filter(Boolean).join('.')

/** The value for a place, as the service looks it up: by the place, else by the name alone. */
export const valueAt = <Value>(values: Record<string, Value>, place: Place): Value | undefined =>
  values[keyOf(place)] ?? values[place.name]

const variable = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The names of the variables in a text, in order, without duplicates. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(variable)].map(([, inside]) => inside as string)),
]

export const fillVariables = (text: string, fill: (name: string) => string): string =>
  text.replace(variable, (_, name: string) => fill(name))

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const wordOf = (value: unknown): string => textOf(value).toUpperCase()
export const recordsOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : [])

export const partOf = (components: Components, wanted: string) => components.find(({ type }) => wordOf(type) === wanted)

const otpAddress = /^https:\/\/(www\.)?whatsapp\.com\/otp\//i

/** Of a button with a one-time password, which WhatsApp returns as a URL of its own. */
export function otpTypeOf({ type, otp_type, url }: Record<string, unknown>): OtpType | undefined {
  if (wordOf(type) === 'OTP') return wordOf(otp_type) as OtpType
  if (!otpAddress.test(textOf(url))) return undefined
  return (/[?&]otp_type=(\w+)/.exec(textOf(url))?.[1] ?? 'COPY_CODE') as OtpType
}

export function partsOf(components: Components): MessageParts {
  const part = (wanted: string) => partOf(components, wanted)
  const header = part('HEADER')
  const offer = part('LIMITED_TIME_OFFER')?.limited_time_offer as Record<string, unknown> | undefined
  const minutes = part('FOOTER')?.code_expiration_minutes
  const buttons = recordsOf(part('BUTTONS')?.buttons)
  // WhatsApp writes the texts of authentication templates. Until it has returned them, these are its English ones.
  const advice = part('BODY')?.add_security_recommendation === true ? ' For your security, do not share this code.' : ''
  const isCode = buttons.some((button) => otpTypeOf(button) !== undefined)
  return {
    offer: offer && { text: textOf(offer.text), hasExpiration: offer.has_expiration === true },
    cards: recordsOf(part('CAROUSEL')?.cards).map((card) => recordsOf(card.components)),
    asksToCall: part('CALL_PERMISSION_REQUEST') !== undefined,
    header: header && {
      format: (wordOf(header.format) || 'TEXT') as HeaderFormat,
      text: textOf(header.text),
    },
    body: textOf(part('BODY')?.text) || (isCode ? `{{1}} is your verification code.${advice}` : ''),
    footer:
      textOf(part('FOOTER')?.text) || (typeof minutes === 'number' ? `This code expires in ${minutes} minutes.` : ''),
    buttons: buttons.map((button) => {
      const otpType = otpTypeOf(button)
      return {
        type: otpType === undefined ? wordOf(button.type) : 'OTP',
        text: textOf(button.text) || (otpType && otpType !== 'COPY_CODE' ? 'Autofill' : ''),
        url: textOf(button.url),
        phone_number: textOf(button.phone_number),
      }
    }),
  }
}

/** All values that a message needs, in reading order. */
export function slotsOf(components: Components, card = ''): Slot[] {
  const { header, offer, body, buttons, cards } = partsOf(components)
  // The body and the button show the same code.
  if (buttons.some(({ type }) => type === 'OTP')) return [{ kind: 'otp', where: '', name: '1' }]
  return [
    ...slotsOfHeader(header, `${card}header`),
    ...(offer?.hasExpiration ? [{ kind: 'offer' as const, where: 'limited_time_offer', name: 'expires_at' }] : []),
    ...inText('text', `${card}body`, body),
    ...buttons.flatMap(({ type, url = '' }, i): Slot[] => {
      const where = `${card}button.${i}`
      if (type === 'COPY_CODE') return [{ kind: 'code', where, name: '1' }]
      if (type === 'MPM') return [{ kind: 'products', where, name: 'products' }]
      return type === 'URL' ? inText('url', where, url) : []
    }),
    ...cards.flatMap((own, i) => slotsOf(own, `card.${i}.`)),
  ]
}

const inText = (kind: Slot['kind'], where: string, text: string): Slot[] =>
  variablesIn(text).map((name) => ({ kind, where, name }))

function slotsOfHeader(header: MessageParts['header'], where: string): Slot[] {
  if (!header) return []
  const { format, text } = header
  if (format === 'TEXT') return inText('text', where, text)
  if (format !== 'LOCATION') return [{ kind: 'media', where, name: '', format }]
  const place = { kind: 'location' as const, where }
  return [
    { ...place, name: 'latitude' },
    { ...place, name: 'longitude' },
    { ...place, name: 'name', isOptional: true },
    { ...place, name: 'address', isOptional: true },
  ]
}

/** Checked against the API: a new type of component, format or button does not compile until it is listed here. */
const knownComponents: Record<NewComponent['type'], true> = {
  HEADER: true,
  BODY: true,
  FOOTER: true,
  BUTTONS: true,
  CAROUSEL: true,
  LIMITED_TIME_OFFER: true,
  CALL_PERMISSION_REQUEST: true,
}
const knownFormats: Record<HeaderFormat | '', true> = {
  '': true,
  TEXT: true,
  IMAGE: true,
  VIDEO: true,
  DOCUMENT: true,
  LOCATION: true,
}
const knownButtons: Record<ButtonType | 'VOICE_CALL', true> = {
  QUICK_REPLY: true,
  URL: true,
  PHONE_NUMBER: true,
  COPY_CODE: true,
  OTP: true,
  FLOW: true,
  CATALOG: true,
  MPM: true,
  VOICE_CALL: true,
}

/** Parts that Frontdesk cannot send yet: such a template is kept, but no message is sent with it. */
export function unsupportedParts(components: Components): string[] {
  const parts = components.flatMap((component) => {
    const [type, format] = [wordOf(component.type), wordOf(component.format)]
    if (!(type in knownComponents) || !(format in knownFormats)) return [[type, format].filter(Boolean).join(' ')]
    const buttons = recordsOf(component.buttons).map((button) => wordOf(button.type))
    return [
      ...buttons.filter((word) => !(word in knownButtons)),
      ...recordsOf(component.cards).flatMap((card) => unsupportedParts(recordsOf(card.components))),
    ]
  })
  return [...new Set(parts)]
}

/** WhatsApp's handle of the sample file of a header; WhatsApp itself returns a URL. */
export const handleOf = (header: Record<string, unknown> | undefined): string => {
  const { header_handle: given } = (header?.example ?? {}) as Record<string, unknown>
  return textOf(Array.isArray(given) ? given[0] : given)
}

/** The sample values of a template, by variable. */
export function examplesOf(components: Components, card = ''): Record<string, string> {
  const examples: Record<string, string> = {}
  for (const component of components) {
    const type = wordOf(component.type)
    const where = card + type.toLowerCase()
    for (const [i, own] of recordsOf(component.cards).entries())
      Object.assign(examples, examplesOf(recordsOf(own.components), `card.${i}.`))
    const example = (component.example ?? {}) as Record<string, unknown>
    const given = example[`${type.toLowerCase()}_text`]
    const values: unknown[] = Array.isArray(given) ? (Array.isArray(given[0]) ? given[0] : given) : []
    // Numbered examples are ordered by number.
    for (const [i, value] of values.entries()) examples[`${where}.${i + 1}`] = String(value)
    for (const named of recordsOf(example[`${type.toLowerCase()}_text_named_params`]))
      examples[`${where}.${textOf(named.param_name)}`] = textOf(named.example)
    for (const [i, button] of recordsOf(component.buttons).entries()) {
      const [full] = Array.isArray(button.example) ? button.example : [button.example]
      if (wordOf(button.type) === 'COPY_CODE' && textOf(full)) examples[`${card}button.${i}.1`] = textOf(full)
      for (const name of variablesIn(textOf(button.url)))
        examples[`${card}button.${i}.${name}`] = textOf(full).replace(textOf(button.url).replace(variable, ''), '')
    }
  }
  return examples
}

/** The body as one line, for lists. */
export const snippetOf = (components: Components): string => {
  const { body } = partsOf(components)
  return body.replace(/[*_~`]+/g, '').replace(/\s+/g, ' ')
}
