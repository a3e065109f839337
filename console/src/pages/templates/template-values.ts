import type { ButtonType, HeaderFormat, OtpType } from '../../records/templates/template-parts.ts'
import { type Category, type Kind, kinds } from './template-kinds.ts'

/** A file of a header. */
export interface FileValues {
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
export const newKey = () => `new-${++made}`

export const noFile: FileValues = { handle: '', file: '' }

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
