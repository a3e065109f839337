import type { api as types } from '@frontdesk/sdk'
import {
  type ButtonType,
  type Components,
  type HeaderFormat,
  otpTypeOf,
  partOf,
  recordsOf,
  unsupportedParts,
} from '../../records/templates/template-parts.ts'

export type Kind = 'message' | 'carousel' | 'offer' | 'coupon' | 'catalog' | 'products' | 'form' | 'code' | 'call'
export type Category = types.NewTemplate['category']

interface KindRules {
  label: string
  /** What it is for, in one sentence. */
  meaning: string
  /** WhatsApp allows these; the first is the default. */
  categories: Category[]
  headers: (HeaderFormat | 'NONE')[]
  mostBody: number
  hasFooter: boolean
  /** Buttons that can be added. */
  buttons: ButtonType[]
  /** Buttons that a new template begins with, and their labels. */
  start: Partial<Record<ButtonType, string>>
  /** A picture of it for the list of kinds. */
  example: Components
}

const anyHeader: KindRules['headers'] = ['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']
const usual = { headers: anyHeader, mostBody: 1024, hasFooter: true, start: {} }
const body = (text: string) => ({ type: 'BODY', text })
const button = (type: ButtonType, text: string) => ({ type: 'BUTTONS', buttons: [{ type, text }] })
const image = { type: 'HEADER', format: 'IMAGE' }

/** What can be built, in the order of the list. Each kind shows only its own fields. */
export const kinds: Record<Kind, KindRules> = {
  message: {
    ...usual,
    label: 'Message',
    meaning: 'Text with a picture, video, document or map, and buttons to reply, open a website or call.',
    categories: ['UTILITY', 'MARKETING'],
    buttons: ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'],
    example: [image, body('Hello Ines, your order is on its way.'), button('URL', 'Track it')],
  },
  carousel: {
    ...usual,
    label: 'Carousel',
    meaning: 'A text with up to ten cards to swipe through, each with a picture or video and buttons.',
    categories: ['MARKETING'],
    headers: ['NONE'],
    hasFooter: false,
    buttons: [],
    example: [
      body('New in our shop:'),
      {
        type: 'CAROUSEL',
        cards: ['Ferns', 'Moss'].map((name) => ({ components: [image, body(name), button('URL', 'Buy')] })),
      },
    ],
  },
  offer: {
    ...usual,
    label: 'Limited-time offer',
    meaning: 'An offer that counts down to its end, with a code to copy and a link to your shop.',
    categories: ['MARKETING'],
    headers: ['NONE', 'IMAGE', 'VIDEO'],
    mostBody: 600,
    hasFooter: false,
    buttons: ['COPY_CODE', 'URL'],
    start: { COPY_CODE: '', URL: 'Shop now' },
    example: [
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Spring sale', has_expiration: true } },
      body('25% off all plants.'),
      button('COPY_CODE', ''),
    ],
  },
  coupon: {
    ...usual,
    label: 'Coupon code',
    meaning: 'A message with a discount code that customers copy with one tap.',
    categories: ['MARKETING'],
    buttons: ['COPY_CODE', 'QUICK_REPLY', 'URL', 'PHONE_NUMBER'],
    start: { COPY_CODE: '' },
    example: [body('Thank you for your order! Use this code for 10% off the next one.'), button('COPY_CODE', '')],
  },
  catalog: {
    ...usual,
    label: 'Catalog',
    meaning: 'Opens the product catalog that is connected to your WhatsApp account.',
    categories: ['MARKETING'],
    headers: ['NONE'],
    buttons: [],
    start: { CATALOG: 'View catalog' },
    example: [body('Have a look at everything we grow.'), button('CATALOG', 'View catalog')],
  },
  products: {
    ...usual,
    label: 'Products',
    meaning: 'Shows up to 30 products of your catalog. You choose them when you send it.',
    categories: ['MARKETING'],
    headers: ['TEXT'],
    buttons: [],
    start: { MPM: 'View items' },
    example: [
      { type: 'HEADER', format: 'TEXT', text: 'Picked for you' },
      body('These go well with your fern.'),
      button('MPM', 'View items'),
    ],
  },
  form: {
    ...usual,
    label: 'Form',
    meaning: 'Opens a WhatsApp Flow: a form for bookings, surveys or sign-ups inside the chat.',
    categories: ['UTILITY', 'MARKETING'],
    buttons: [],
    start: { FLOW: 'Open form' },
    example: [body('When would you like to come? Choose a time.'), button('FLOW', 'Book a visit')],
  },
  code: {
    ...usual,
    label: 'One-time password',
    meaning: 'A code to sign in or confirm. WhatsApp writes the text; customers copy the code or your app reads it.',
    categories: ['AUTHENTICATION'],
    headers: ['NONE'],
    buttons: [],
    example: [
      { type: 'BODY', text: '*123456* is your verification code.' },
      { type: 'FOOTER', code_expiration_minutes: 5 },
      button('OTP', 'Copy code'),
    ],
  },
  call: {
    ...usual,
    label: 'Call permission',
    meaning: 'Asks customers whether you may call them on WhatsApp.',
    categories: ['UTILITY', 'MARKETING'],
    headers: ['NONE'],
    hasFooter: false,
    buttons: [],
    example: [body('May we call you about your order?'), { type: 'CALL_PERMISSION_REQUEST' }],
  },
}

export const isKind = (word: string | null): word is Kind => word !== null && Object.hasOwn(kinds, word)

export function kindOf(components: Components): Kind {
  if (partOf(components, 'CAROUSEL')) return 'carousel'
  if (partOf(components, 'LIMITED_TIME_OFFER')) return 'offer'
  if (partOf(components, 'CALL_PERMISSION_REQUEST')) return 'call'
  const buttons = recordsOf(partOf(components, 'BUTTONS')?.buttons)
  if (buttons.some((each) => otpTypeOf(each) !== undefined)) return 'code'
  const types = buttons.map(({ type }) => String(type).toUpperCase())
  if (types.includes('CATALOG')) return 'catalog'
  if (types.includes('MPM')) return 'products'
  if (types.includes('FLOW')) return 'form'
  return types.includes('COPY_CODE') ? 'coupon' : 'message'
}

/** Whether the editor can build all parts. Call buttons come from WhatsApp only. */
export const isEditable = (components: Components): boolean =>
  unsupportedParts(components).length === 0 &&
  !components.some(({ buttons }) => recordsOf(buttons).some(({ type }) => type === 'VOICE_CALL'))
