import { checkInteractive } from './interactive-rules.ts'
import { bad, isObject, missing, optionalText, type Part, text } from './message-part.ts'
import { Refusal } from './refusals.ts'

/** An outgoing message, as far as it is checked. */
export interface OutgoingBody {
  messaging_product?: unknown
  to?: unknown
  recipient?: unknown
  type?: unknown
  context?: unknown
  biz_opaque_callback_data?: unknown
  [member: string]: unknown
}

const captioned = new Set(['image', 'video', 'document'])

function checkMedia(part: Part, type: string): void {
  const given = ['id', 'link'].filter((name) => typeof part[name] === 'string' && part[name] !== '')
  if (given.length === 0) throw missing(`${type}['id'] or ${type}['link']`)
  if (given.length === 2) throw bad(`Param ${type} must have exactly one of 'id' and 'link'.`)
  if (part.link !== undefined && !/^https?:\/\/[^\s/]/.test(String(part.link)))
    throw bad(`Param ${type}['link'] is not a valid URI.`)
  if (part.caption !== undefined && !captioned.has(type)) throw bad(`Unexpected key "caption" on param "${type}".`)
  optionalText(part, 'caption', type, 1024)
  if (part.filename !== undefined && type !== 'document') throw bad(`Unexpected key "filename" on param "${type}".`)
}

function checkCards(cards: unknown): void {
  if (!Array.isArray(cards) || cards.length === 0) throw missing('contacts')
  if (cards.length > 257) throw bad('Param contacts must have at most 257 contacts.')
  for (const card of cards) {
    if (!isObject(card) || !isObject(card.name)) throw missing("contacts['name']")
    text(card.name, 'formatted_name', "contacts['name']", 255)
  }
}

const checks: Record<string, (part: Part) => void> = {
  text: (part) => void text(part, 'body', 'text', 4096),
  image: (part) => checkMedia(part, 'image'),
  video: (part) => checkMedia(part, 'video'),
  document: (part) => checkMedia(part, 'document'),
  audio: (part) => checkMedia(part, 'audio'),
  sticker: (part) => checkMedia(part, 'sticker'),
  reaction(part) {
    text(part, 'message_id', 'reaction', 200)
    if (typeof part.emoji !== 'string') throw missing("reaction['emoji']")
  },
  location(part) {
    for (const [name, most] of [['latitude', 90] as const, ['longitude', 180] as const]) {
      if (part[name] === undefined || !Number.isFinite(Number(part[name]))) throw missing(`location['${name}']`)
      if (Math.abs(Number(part[name])) > most) throw bad(`Param location['${name}'] is out of range.`)
    }
  },
  interactive: checkInteractive,
  template(part) {
    text(part, 'name', 'template', 512)
    if (!isObject(part.language)) throw missing("template['language']")
    text(part.language, 'code', "template['language']", 15)
    if (part.components !== undefined && !Array.isArray(part.components))
      throw bad("Param template['components'] must be an array.")
  },
}

/** Throws the platform's error for a message that cannot be sent to any recipient; returns its content part. */
export function checkMessage(body: OutgoingBody): { type: string; part: Part } {
  if (body.messaging_product !== 'whatsapp')
    throw new Refusal(100, 'The parameter messaging_product is required.', {
      message: '(#100) The parameter messaging_product is required.',
    })
  const type = body.type === undefined ? 'text' : body.type
  if (type === 'contacts') {
    checkCards(body.contacts)
    return { type, part: {} }
  }
  const check = typeof type === 'string' && Object.hasOwn(checks, type) ? checks[type] : undefined
  if (!check) throw new Refusal(131051, `Message type "${String(type)}" is not supported.`)
  const part = body[type as string]
  if (part === undefined || part === null) throw missing(type as string)
  if (!isObject(part)) throw bad(`Param ${type as string} must be a JSON object.`)
  check(part)
  const callback = body.biz_opaque_callback_data
  if (callback !== undefined && (typeof callback !== 'string' || callback.length > 512))
    throw new Refusal(100, 'Param biz_opaque_callback_data must be at most 512 characters long.')
  return { type: type as string, part }
}

/** The recipient: the digits of a phone number, or the id of a user without one. */
export function recipientOf({ to, recipient }: OutgoingBody): { person: string; isUserId: boolean } {
  const given = to ?? recipient
  if (given === undefined || given === null || given === '')
    throw new Refusal(100, 'The parameter to is required.', { message: '(#100) The parameter to is required.' })
  const text = String(given)
  const digits = text.replace(/[+\s().-]/g, '')
  if (/^\d{7,15}$/.test(digits)) return { person: digits, isUserId: false }
  if (/^[A-Z]{2}\.[0-9A-Za-z.]{1,128}$/.test(text)) return { person: text, isUserId: true }
  throw new Refusal(131009, 'Recipient phone number or user id is not valid.')
}
