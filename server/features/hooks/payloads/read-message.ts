import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import type { ContactSource } from '../../contacts/schema.ts'
import type { Sender } from '../../contacts/senders/sender.ts'
import type { InboundMedia, InboundMessage } from '../../inbox/receiving/inbound-message.ts'
import { cardsText, placeText } from '../../inbox/rich/rich-text.ts'
import { idOf, keepable, momentOf, type Part, partOf, partsOf, textOf } from './wire.ts'

/** The platform identifies a number by its digits. An impossible number is kept as received. */
export function numberOf(waId: unknown, phones: PhoneNumbers): string | null {
  const digits = idOf(waId)?.replace(/^\+/, '') ?? ''
  if (!/^\d{5,20}$/.test(digits)) return null
  return phones.normalize(`+${digits}`) ?? `+${digits}`
}

/**
 * The `contacts` of a webhook, indexed: there may be thousands of contacts and messages, so they are not searched
 * linearly.
 */
export interface NamedPeople {
  byNumber: Map<unknown, Part>
  byUserId: Map<unknown, Part>
  only: Part | undefined
}

export function namedPeople(contacts: unknown): NamedPeople {
  const parts = partsOf(contacts)
  // If several have the same id, the first counts.
  const firstBy = (name: 'wa_id' | 'user_id') => new Map(parts.toReversed().map((part) => [part[name], part]))
  return { byNumber: firstBy('wa_id'), byUserId: firstBy('user_id'), only: parts.length === 1 ? parts[0] : undefined }
}

/** The sender: from the message, from its entry among the contacts or, if there is only one entry, from that. */
export function senderOf(message: Part, people: NamedPeople, phones: PhoneNumbers): Sender | undefined {
  const { from, from_user_id } = message
  const entry =
    !from && !from_user_id
      ? people.only
      : ((from ? people.byNumber.get(from) : undefined) ??
        (from_user_id ? people.byUserId.get(from_user_id) : undefined))
  const phoneNumber = numberOf(from ?? entry?.wa_id, phones)
  // Older platforms put such an id where the number was.
  const strangeId = phoneNumber === null ? idOf(from, 255) : null
  const userId = idOf(from_user_id ?? entry?.user_id, 255) ?? strangeId
  if (phoneNumber === null && userId === null) return undefined
  const { name, username } = partOf(entry?.profile)
  return {
    phoneNumber,
    userId,
    name: textOf(name, 255).trim(),
    username:
      textOf(username ?? entry?.username, 64)
        .trim()
        .replace(/^@/, '') || null,
  }
}

const mediaTypes = {
  image: 'image',
  sticker: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'audio',
  document: 'document',
} as const

/** Also used for the message inside an edit. */
type Content = Pick<InboundMessage, 'type' | 'body' | 'media'> & { payload: Part }

/**
 * The content of a message. Types without columns of their own become readable text, with the original part in
 * `payload`.
 */
export function contentOf(message: Part): Content {
  const kind = textOf(message.type, 64) || 'unknown'
  const value = Object.hasOwn(message, kind) ? message[kind] : undefined
  const part = partOf(value)
  if (kind === 'text') return { type: 'text', body: textOf(part.body), media: null, payload: {} }
  if (Object.hasOwn(mediaTypes, kind)) {
    const media: InboundMedia = {
      platformId: idOf(part.id, 255),
      mimeType: textOf(part.mime_type, 255) || null,
      fileName: textOf(part.filename, 255) || null,
      sha256: textOf(part.sha256, 128) || null,
    }
    const payload = { ...(part.voice === true && { voice: true }), ...(kind === 'sticker' && { type: 'sticker' }) }
    return { type: mediaTypes[kind as keyof typeof mediaTypes], body: textOf(part.caption), media, payload }
  }
  const raw = keepable(value)
  const errors = partsOf(message.errors)
  const payload = {
    type: kind,
    ...(raw !== undefined && { [kind]: raw }),
    ...(errors.length > 0 && { errors: keepable(errors) }),
  }
  return { type: 'text', body: readable(kind, part, message) || `[${kind}]`, media: null, payload }
}

function readable(kind: string, part: Part, message: Part): string {
  if (kind === 'button') return textOf(part.text)
  if (kind === 'interactive') {
    const type = textOf(part.type, 64)
    const reply = partOf(part[type])
    if (type === 'call_permission_reply') return reply.response === 'accept' ? 'Calls allowed' : 'Calls declined'
    return textOf(reply.title) || flowText(reply) || textOf(reply.body)
  }
  if (kind === 'location')
    return placeText({
      name: textOf(part.name, 1000),
      address: textOf(part.address, 1000),
      latitude: String(part.latitude).slice(0, 32),
      longitude: String(part.longitude).slice(0, 32),
    })
  if (kind === 'contacts')
    return cardsText(partsOf(message.contacts).map(({ name }) => textOf(partOf(name).formatted_name, 255)))
  if (kind === 'order') return orderText(part)
  return ''
}

/** `day: Monday, guests: 2`: the answers of a form. The platform's own text for every form is "Sent". */
function flowText({ response_json: json }: Part): string {
  if (typeof json !== 'string') return ''
  try {
    const { flow_token: _, ...answers } = partOf(JSON.parse(json))
    return Object.entries(answers)
      .slice(0, mostItemsShown)
      .map(([name, value]) => [textOf(name, 255).replaceAll('_', ' '), wordsOf(value)])
      .filter(([, words]) => words !== '')
      .map((answer) => answer.join(': '))
      .join(', ')
  } catch {
    return ''
  }
}

/** A value, or the values of a question with several answers. */
const wordsOf = (value: unknown): string =>
  [value]
    .flat()
    .filter((each) => ['string', 'number', 'boolean'].includes(typeof each))
    .map((each) => textOf(String(each), 1000))
    .join(' / ')

/** `🛒 2 × A1, 1 × B7 (please gift-wrap)`: the ordered items, their quantities and the customer's text. */
function orderText(part: Part): string {
  const items = partsOf(part.product_items).map(({ quantity, product_retailer_id }) => {
    const count = Number(quantity)
    const name = idOf(product_retailer_id, 255) ?? textOf(product_retailer_id, 255)
    return `${Number.isFinite(count) && count > 0 ? count : 1} × ${name || 'item'}`
  })
  const shown =
    items.length > mostItemsShown ? [...items.slice(0, mostItemsShown), `${items.length - mostItemsShown} more`] : items
  const note = textOf(part.text, 1000)
  return `🛒 ${shown.join(', ')}${note && ` (${note})`}`.trim()
}

const mostItemsShown = 20

/** Members that a message of any type can have: forwarding and the advertisement that it responds to. */
function extrasOf(message: Part): Part {
  const context = partOf(message.context)
  return {
    ...(message.referral !== undefined && { referral: keepable(message.referral) }),
    ...(context.forwarded === true && { forwarded: true }),
    ...(context.frequently_forwarded === true && { frequently_forwarded: true }),
    ...(context.referred_product !== undefined && { referred_product: keepable(context.referred_product) }),
  }
}

/** Its members are all optional: what carries none of the shown ones says nothing about the contact. */
function sourceOf(referral: unknown, at: string): ContactSource | null {
  const part = partOf(referral)
  const url = textOf(part.source_url, 2048)
  const source = {
    source_id: idOf(part.source_id, 255),
    source_headline: textOf(part.headline, 255).trim() || null,
    source_url: /^https?:\/\//i.test(url) ? url : null,
  }
  if (Object.values(source).every((value) => value === null)) return null
  return { ...source, source_type: part.source_type === 'post' ? 'post' : 'ad', source_at: at }
}

/** The message in our format, without its channel; undefined if it has no id or no sender. */
export function readMessage(
  message: Part,
  people: NamedPeople,
  { phones, now }: { phones: PhoneNumbers; now: Date },
): Omit<InboundMessage, 'channelId'> | undefined {
  const chatMessageId = idOf(message.id)
  const sender = senderOf(message, people, phones)
  if (chatMessageId === null || !sender) return undefined
  const { payload, ...content } = contentOf(message)
  const whole = { ...payload, ...extrasOf(message) }
  const at = momentOf(message.timestamp, now)
  return {
    ...content,
    chatMessageId,
    sender: { ...sender, at, source: sourceOf(message.referral, at) },
    at,
    contextMessageId: idOf(partOf(message.context).id),
    payload: Object.keys(whole).length > 0 ? whole : null,
  }
}
