/** The components of a template, in a form for pages. */

export type Components = Record<string, unknown>[]

export type HeaderFormat = 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION'

export interface MessageButton {
  type: string
  text: string
  url?: string
  phone_number?: string
}

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

/** A variable and its place: `{{1}}` of the body is `{ where: 'body', name: '1' }`. */
export interface Slot {
  /** `header`, `body`, `button.0` for the first button, `limited_time_offer`; on a card after `card.0.`. */
  where: string
  /** The text between the braces; empty for the file of a media header. */
  name: string
}

export const keyOf = ({ where, name }: Slot) => (name === '' ? where : `${where}.${name}`)

const variable = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The names of the variables in a text, in order, without duplicates. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(variable)].map(([, inside]) => inside as string)),
]

export const fillVariables = (text: string, fill: (name: string) => string): string =>
  text.replace(variable, (_, name: string) => fill(name))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const wordOf = (value: unknown): string => textOf(value).toUpperCase()
const recordsOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : [])

const otpAddress = /^https:\/\/(www\.)?whatsapp\.com\/otp\//i
const isOtp = ({ type, url }: Record<string, unknown>) => wordOf(type) === 'OTP' || otpAddress.test(textOf(url))

export function partsOf(components: Components): MessageParts {
  const part = (wanted: string) => components.find(({ type }) => wordOf(type) === wanted)
  const header = part('HEADER')
  const offer = part('LIMITED_TIME_OFFER')?.limited_time_offer as Record<string, unknown> | undefined
  const minutes = part('FOOTER')?.code_expiration_minutes
  const buttons = recordsOf(part('BUTTONS')?.buttons)
  // WhatsApp writes the texts of authentication templates. Until it has returned them, these are its English ones.
  const advice = part('BODY')?.add_security_recommendation === true ? ' For your security, do not share this code.' : ''
  const body = textOf(part('BODY')?.text) || (buttons.some(isOtp) ? `{{1}} is your verification code.${advice}` : '')
  return {
    offer: offer && { text: textOf(offer.text), hasExpiration: offer.has_expiration === true },
    cards: recordsOf(part('CAROUSEL')?.cards).map((card) => recordsOf(card.components)),
    asksToCall: part('CALL_PERMISSION_REQUEST') !== undefined,
    header: header && {
      format: (wordOf(header.format) || 'TEXT') as HeaderFormat,
      text: textOf(header.text),
    },
    body,
    footer:
      textOf(part('FOOTER')?.text) || (typeof minutes === 'number' ? `This code expires in ${minutes} minutes.` : ''),
    buttons: buttons.map((button) => ({
      type: isOtp(button) ? 'OTP' : wordOf(button.type),
      text: textOf(button.text),
      url: textOf(button.url),
      phone_number: textOf(button.phone_number),
    })),
  }
}

/** All variables, in reading order. */
export function slotsOf(components: Components, card = ''): Slot[] {
  const { header, offer, body, buttons, cards } = partsOf(components)
  const inText = (where: string, text: string) => variablesIn(text).map((name) => ({ where: card + where, name }))
  return [
    ...slotsOfHeader(header, `${card}header`, inText),
    ...(offer?.hasExpiration ? [{ where: 'limited_time_offer', name: 'expires_at' }] : []),
    ...inText('body', body),
    ...buttons.flatMap(({ type, url = '' }, i) => {
      const where = `${card}button.${i}`
      if (type === 'OTP' || type === 'COPY_CODE') return [{ where, name: '1' }]
      if (type === 'MPM') return [{ where, name: 'products' }]
      return type === 'URL' ? inText(`button.${i}`, url) : []
    }),
    ...cards.flatMap((own, i) => slotsOf(own, `card.${i}.`)),
  ]
}

function slotsOfHeader(header: MessageParts['header'], where: string, inText: (where: string, text: string) => Slot[]) {
  if (!header) return []
  if (header.format === 'TEXT') return inText('header', header.text)
  if (header.format !== 'LOCATION') return [{ where, name: '' }]
  return ['latitude', 'longitude', 'name', 'address'].map((name) => ({ where, name }))
}

const knownComponents = [
  'HEADER',
  'BODY',
  'FOOTER',
  'BUTTONS',
  'CAROUSEL',
  'LIMITED_TIME_OFFER',
  'CALL_PERMISSION_REQUEST',
]
const knownButtons = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'OTP', 'FLOW', 'CATALOG', 'MPM', 'VOICE_CALL']
const knownFormats = ['', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']

/** Parts that Frontdesk cannot send yet: such a template is kept, but no message is sent with it. */
export function unsupportedParts(components: Components): string[] {
  const parts = components.flatMap((component) => {
    const type = wordOf(component.type)
    if (!knownComponents.includes(type) || !knownFormats.includes(wordOf(component.format)))
      return [[type, wordOf(component.format)].filter(Boolean).join(' ')]
    const buttons = recordsOf(component.buttons).map((button) => wordOf(button.type))
    return [
      ...buttons.filter((word) => !knownButtons.includes(word)),
      ...recordsOf(component.cards).flatMap((card) => unsupportedParts(recordsOf(card.components))),
    ]
  })
  return [...new Set(parts)]
}

const editableButtons = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER']

/** Whether the editor can build all parts; the others are created through the API. */
export const isEditable = (components: Components): boolean =>
  components.every((component) => {
    const type = wordOf(component.type)
    if (type === 'HEADER') return wordOf(component.format) !== 'LOCATION'
    if (type === 'BUTTONS')
      return recordsOf(component.buttons).every((button) => editableButtons.includes(wordOf(button.type)))
    return (type === 'BODY' || type === 'FOOTER') && component.text !== undefined
  })

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
