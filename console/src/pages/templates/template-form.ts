import type { api as types } from '@frontdesk/sdk'
import { sampleFilesOf } from '../../records/templates/stored-files.ts'
import {
  type ButtonType,
  type Components,
  examplesOf,
  type HeaderFormat,
  handleOf,
  type OtpType,
  otpTypeOf,
  partOf,
  partsOf,
  recordsOf,
  textOf,
  variablesIn,
} from '../../records/templates/template-parts.ts'
import { type Category, type Kind, kindOf, kinds } from './template-kinds.ts'

/** A file of a header. */
interface FileValues {
  /** WhatsApp's handle of the sample. */
  handle: string
  /** The stored file, for the preview. */
  file: string
}

/** A template as its editor holds it. Each kind uses its own members. */
export interface TemplateValues {
  kind: Kind
  channel_id: string
  name: string
  language: string
  category: Category
  /** Seconds; empty for WhatsApp's default. */
  message_send_ttl_seconds: string
  headerFormat: HeaderFormat | 'NONE'
  headerText: string
  header: FileValues
  bodyText: string
  footerText: string
  buttons: ButtonValues[]
  offerText: string
  offerEnds: boolean
  cardFormat: 'IMAGE' | 'VIDEO'
  /** The buttons that every card has. */
  cardButtons: CardButtonType[]
  cards: CardValues[]
  otpType: OtpType
  /** The advice not to share the code. */
  hasAdvice: boolean
  /** Empty for a code without a stated end. */
  expiryMinutes: string
  /** Android apps that read the code. */
  apps: AppValues[]
  acceptsTerms: boolean
  /** What reviewers see in place of the variables, by `body.1`, `header.1`, `button.0.1`, `card.0.body.1`. */
  examples: Record<string, string>
}

export interface ButtonValues {
  /** Identifies the button while buttons are moved, as the key of its row. */
  key: string
  type: ButtonType
  text: string
  url: string
  phone_number: string
  flow_id: string
  /** A sample of the coupon code. */
  code: string
}

export type CardButtonType = 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER'

export interface CardValues extends FileValues {
  key: string
  text: string
  /** As many as `cardButtons`, or more where a type was removed. */
  buttons: ButtonValues[]
}

export interface AppValues {
  key: string
  package_name: string
  signature_hash: string
}

/** What the platform takes at most. */
export const limits = {
  name: 255,
  header: 60,
  footer: 60,
  label: 25,
  buttons: 10,
  offer: 16,
  code: 15,
  cards: 10,
  cardButtons: 2,
  cardText: 160,
  apps: 5,
}

let made = 0
const newKey = () => `new-${++made}`

const noFile: FileValues = { handle: '', file: '' }

export const newButton = (type: ButtonType, members: Partial<ButtonValues> = {}): ButtonValues => ({
  text: '',
  url: '',
  phone_number: '',
  flow_id: '',
  code: '',
  ...members,
  key: newKey(),
  type,
})
export const newCard = (types: CardButtonType[]): CardValues => ({
  ...noFile,
  key: newKey(),
  text: '',
  buttons: types.map((type) => newButton(type)),
})
export const newApp = (): AppValues => ({ key: newKey(), package_name: '', signature_hash: '' })

export function emptyTemplate(kind: Kind, channelId: string): TemplateValues {
  const { categories, headers, start } = kinds[kind]
  return {
    kind,
    channel_id: channelId,
    name: '',
    language: 'en_US',
    category: categories[0] as Category,
    message_send_ttl_seconds: '',
    headerFormat: headers[0] ?? 'NONE',
    headerText: '',
    header: noFile,
    bodyText: '',
    footerText: '',
    buttons: Object.entries(start).map(([type, text]) => newButton(type as ButtonType, { text })),
    offerText: '',
    offerEnds: true,
    cardFormat: 'IMAGE',
    cardButtons: ['URL'],
    cards: [newCard(['URL']), newCard(['URL'])],
    otpType: 'COPY_CODE',
    hasAdvice: true,
    expiryMinutes: '10',
    apps: [newApp()],
    acceptsTerms: false,
    examples: {},
  }
}

type NewComponent = types.NewTemplate['components'][number]
type NewCardComponent = NonNullable<NewComponent['cards']>[number]['components'][number]

export function componentsOf(values: TemplateValues): NewComponent[] {
  if (values.kind === 'code') return codeComponents(values)
  const { kind, headerFormat, headerText, header, bodyText, footerText, buttons, offerText, offerEnds } = values
  const components: NewComponent[] = []
  if (headerFormat === 'TEXT')
    components.push({
      type: 'HEADER',
      format: 'TEXT',
      text: headerText,
      ...exampleOf('header', 'header', headerText, values),
    })
  else if (headerFormat === 'LOCATION') components.push({ type: 'HEADER', format: headerFormat })
  else if (headerFormat !== 'NONE') components.push(fileHeader(headerFormat, header))
  if (kind === 'offer')
    components.push({
      type: 'LIMITED_TIME_OFFER',
      limited_time_offer: { text: offerText, has_expiration: offerEnds },
    })
  components.push({ type: 'BODY', text: bodyText, ...exampleOf('body', 'body', bodyText, values) })
  if (kinds[kind].hasFooter && footerText.trim()) components.push({ type: 'FOOTER', text: footerText })
  if (kind === 'carousel') components.push({ type: 'CAROUSEL', cards: cardComponents(values) })
  if (kind === 'call') components.push({ type: 'CALL_PERMISSION_REQUEST' })
  if (buttons.length > 0)
    components.push({
      type: 'BUTTONS',
      buttons: buttons.map((button, i) => toButton(button, `button.${i}`, values)),
    })
  return components
}

/** WhatsApp writes the texts itself. */
function codeComponents(values: TemplateValues): NewComponent[] {
  const { otpType, hasAdvice, expiryMinutes, apps, acceptsTerms } = values
  const ofApps = otpType !== 'COPY_CODE' && {
    supported_apps: apps.map(({ package_name, signature_hash }) => ({
      package_name: package_name.trim(),
      signature_hash: signature_hash.trim(),
    })),
  }
  const button = {
    type: 'OTP' as const,
    otp_type: otpType,
    ...ofApps,
    ...(otpType === 'ZERO_TAP' && { zero_tap_terms_accepted: acceptsTerms }),
  }
  return [
    { type: 'BODY', add_security_recommendation: hasAdvice },
    ...(expiryMinutes.trim()
      ? [{ type: 'FOOTER' as const, code_expiration_minutes: Math.trunc(Number(expiryMinutes)) }]
      : []),
    { type: 'BUTTONS', buttons: [button] },
  ]
}

/** All cards have the same parts: if one has a text, the others need one too. */
function cardComponents(values: TemplateValues): { components: NewCardComponent[] }[] {
  const { cards, cardFormat, cardButtons } = values
  const haveText = cards.some(({ text }) => text.trim() !== '')
  return cards.map((card, i) => {
    const buttons = cardButtons.map((type, at) =>
      toButton({ ...(card.buttons[at] ?? newButton(type)), type }, `card.${i}.button.${at}`, values),
    )
    return {
      components: [
        fileHeader(cardFormat, card),
        ...(haveText
          ? [{ type: 'BODY' as const, text: card.text, ...exampleOf('body', `card.${i}.body`, card.text, values) }]
          : []),
        ...(buttons.length > 0 ? [{ type: 'BUTTONS' as const, buttons }] : []),
      ],
    }
  })
}

const fileHeader = (format: HeaderFormat, { handle }: FileValues) => ({
  type: 'HEADER' as const,
  format,
  ...(handle && { example: { header_handle: [handle] } }),
})

function exampleOf(part: 'header' | 'body', where: string, text: string, { examples }: TemplateValues) {
  const names = variablesIn(text)
  if (!names.some((name) => examples[`${where}.${name}`]?.trim())) return {}
  const valueAt = (name: string) => examples[`${where}.${name}`]?.trim() || `Example ${name}`
  if (!names.every((name) => /^\d+$/.test(name)))
    return {
      example: {
        [`${part}_text_named_params`]: names.map((name) => ({ param_name: name, example: valueAt(name) })),
      },
    }
  const values = names.sort((one, other) => Number(one) - Number(other)).map(valueAt)
  return { example: { [`${part}_text`]: part === 'body' ? [values] : values } }
}

function toButton(button: ButtonValues, where: string, { examples }: TemplateValues) {
  const { type, text, url, phone_number, flow_id, code } = button
  // An empty member is left out, so that the API says that it is missing.
  const filled = (members: Record<string, string>) =>
    Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : [])))
  switch (type) {
    case 'URL': {
      const [variable] = variablesIn(url)
      const value = variable && examples[`${where}.${variable}`]?.trim()
      const example = value ? { example: [url.replace(/\{\{[^{}]*\}\}/, value)] } : {}
      return { type, ...filled({ text, url }), ...example }
    }
    case 'PHONE_NUMBER':
      return { type, ...filled({ text, phone_number }) }
    case 'FLOW':
      return { type, ...filled({ text, flow_id }) }
    case 'COPY_CODE':
      return { type, ...filled({ example: code }) }
    default:
      return { type, ...filled({ text }) }
  }
}

/** Checks what WhatsApp is certain to refuse. For all other rules, the editor shows the API's warnings. */
export function check(values: TemplateValues): Record<string, string> {
  const { kind, headerFormat, header, buttons, cards, cardFormat, otpType, apps, acceptsTerms } = values
  const faults: Record<string, string> = {}
  const noun = { IMAGE: 'an image', VIDEO: 'a video', DOCUMENT: 'a document' }
  if (headerFormat in noun && !header.handle)
    faults.header = `Upload ${noun[headerFormat as keyof typeof noun]} for WhatsApp’s reviewers.`
  for (const [i, { type, flow_id }] of buttons.entries())
    if (type === 'FLOW' && !flow_id.trim()) faults[`buttons.${i}.flow_id`] = 'Enter the ID of the flow.'
  if (kind === 'carousel')
    for (const [i, { handle }] of cards.entries())
      if (!handle) faults[`cards.${i}.handle`] = `Upload ${noun[cardFormat]} for this card.`
  if (kind === 'code' && otpType !== 'COPY_CODE')
    for (const [i, { package_name, signature_hash }] of apps.entries()) {
      if (!package_name.trim()) faults[`apps.${i}.package_name`] = 'Enter the package name.'
      if (!signature_hash.trim()) faults[`apps.${i}.signature_hash`] = 'Enter the signing key hash.'
    }
  if (kind === 'code' && otpType === 'ZERO_TAP' && !acceptsTerms)
    faults.acceptsTerms = 'Zero-tap needs your consent to its terms.'
  return faults
}

/** The field of the editor that an error or warning of the API is about. */
export function fieldOf(loc: string[], values: TemplateValues): string | undefined {
  const [, root, index, ...rest] = loc
  if (root !== 'components') return undefined
  const component = componentsOf(values)[Number(index)]
  const [member, at, , , ...inside] = rest
  switch (component?.type) {
    case 'HEADER':
      return component.format === 'TEXT' ? 'headerText' : 'header'
    case 'FOOTER':
      return member === 'code_expiration_minutes' ? 'expiryMinutes' : 'footerText'
    case 'BUTTONS':
      return values.kind === 'code' ? codeFieldOf(rest) : buttonFieldOf('buttons', rest)
    case 'LIMITED_TIME_OFFER':
      // Other findings about an offer are about the length of the body.
      return member === 'limited_time_offer' ? 'offerText' : 'bodyText'
    case 'CAROUSEL': {
      if (member !== 'cards' || at === undefined) return 'cards'
      const part = component.cards?.[Number(at)]?.components[Number(rest[3])]
      if (part?.type === 'BUTTONS') return buttonFieldOf(`cards.${at}.buttons`, inside)
      return `cards.${at}.${part?.type === 'HEADER' ? 'handle' : 'text'}`
    }
    default:
      return 'bodyText'
  }
}

const buttonFieldOf = (field: string, [, index, member]: string[]) =>
  index === undefined ? field : `${field}.${index}.${member === 'example' ? 'code' : (member ?? 'text')}`

const codeFieldOf = ([, , member, app, ofApp]: string[]) =>
  member === 'zero_tap_terms_accepted' ? 'acceptsTerms' : ['apps', app, ofApp].filter(Boolean).join('.')

/** An earlier template as the beginning of a new one. */
export function valuesFrom(template: types.Template): TemplateValues {
  const components: Components = template.components
  const { header, body, footer, offer, cards } = partsOf(components)
  const kind = kindOf(components)
  const files = sampleFilesOf(template)
  const buttons = recordsOf(partOf(components, 'BUTTONS')?.buttons)
  const otp = buttons.find((button) => otpTypeOf(button) !== undefined)
  const minutes = partOf(components, 'FOOTER')?.code_expiration_minutes
  const apps = recordsOf(otp?.supported_apps).map((app) => ({
    key: newKey(),
    package_name: textOf(app.package_name),
    signature_hash: textOf(app.signature_hash),
  }))
  return {
    ...emptyTemplate(kind, template.channel_id),
    name: `${template.name}_2`.slice(0, limits.name),
    language: template.language,
    category: template.category,
    message_send_ttl_seconds: String(template.message_send_ttl_seconds ?? ''),
    headerFormat: header?.format ?? 'NONE',
    headerText: header?.text ?? '',
    header: fileFrom(partOf(components, 'HEADER'), files.header),
    bodyText: body,
    footerText: footer,
    buttons: kind === 'code' ? [] : buttons.map(buttonFrom),
    ...(offer && { offerText: offer.text, offerEnds: offer.hasExpiration }),
    ...(kind === 'carousel' && cardsFrom(cards, files)),
    ...(otp && {
      otpType: otpTypeOf(otp) ?? 'COPY_CODE',
      hasAdvice: partOf(components, 'BODY')?.add_security_recommendation === true,
      expiryMinutes: typeof minutes === 'number' ? String(minutes) : '',
      ...(apps.length > 0 && { apps }),
    }),
    examples: examplesOf(components),
  }
}

function cardsFrom(cards: Components[], files: Record<string, string>) {
  const buttonsOf = (card: Components | undefined) => recordsOf(partOf(card ?? [], 'BUTTONS')?.buttons).map(buttonFrom)
  return {
    cardFormat: partsOf(cards[0] ?? []).header?.format === 'VIDEO' ? ('VIDEO' as const) : ('IMAGE' as const),
    cardButtons: buttonsOf(cards[0]).map(({ type }) => type as CardButtonType),
    cards: cards.map((card, i) => ({
      ...fileFrom(partOf(card, 'HEADER'), files[`card.${i}.header`]),
      key: newKey(),
      text: partsOf(card).body,
      buttons: buttonsOf(card),
    })),
  }
}

/** WhatsApp takes a handle again, but not the URL that it returns for one. */
function fileFrom(header: Record<string, unknown> | undefined, file = ''): FileValues {
  const handle = handleOf(header)
  return handle && !/^https?:/.test(handle) ? { handle, file } : noFile
}

function buttonFrom(button: Record<string, unknown>): ButtonValues {
  const { type, text, url, phone_number, flow_id, example } = button
  return newButton(String(type).toUpperCase() as ButtonType, {
    text: textOf(text),
    url: textOf(url),
    phone_number: textOf(phone_number),
    flow_id: textOf(flow_id),
    code: textOf(Array.isArray(example) ? example[0] : example),
  })
}
