import Type, { type Static } from 'typebox'
import type { BlockList } from './block-list.ts'
import { identityWebhook, isIdentityChange } from './identity-changes.ts'
import { escaped } from './json-escapes.ts'
import type { KnobBoard } from './knobs.ts'
import type { Limits } from './limits.ts'
import type { Media } from './media.ts'
import type { SimulatedNumber } from './numbers.ts'
import type { People } from './people.ts'
import { sampleMedia } from './sample-media.ts'
import { choiceIn, tapOn } from './taps.ts'
import type { Transcript } from './transcript.ts'
import { newMessageId } from './wamid.ts'
import type { Webhooks } from './webhooks.ts'
import type { Windows } from './windows.ts'

/** An action of a customer. */
export const InboundMessage = Type.Object({
  /** A phone number; without one, `user_id` identifies the sender. */
  from: Type.Optional(Type.String({ maxLength: 40 })),
  user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  username: Type.Optional(Type.String({ maxLength: 64 })),
  name: Type.Optional(Type.String({ maxLength: 255 })),
  /** A repeated id is the same message again. */
  id: Type.Optional(Type.String({ maxLength: 200 })),
  /** Unix seconds; now by default. */
  timestamp: Type.Optional(Type.Integer({ minimum: 0 })),
  /** As in the webhook: `type`, the member of that name, `context`, `referral`. Missing members are filled in. */
  message: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  /** For `interactive`: the title or id of what the person taps, in the latest message that has it; its first choice by default. */
  tap: Type.Optional(Type.String({ maxLength: 4096 })),
  /** The file of a media message; a small sample by default. */
  media: Type.Optional(
    Type.Object({
      base64: Type.String(),
      mime_type: Type.String({ maxLength: 255 }),
      filename: Type.Optional(Type.String({ maxLength: 255 })),
    }),
  ),
})
export type InboundMessage = Static<typeof InboundMessage>

export interface Inbound {
  /** Returns the id of the message. */
  receive(number: SimulatedNumber, inbound: InboundMessage): Promise<string>
}

interface InboundDependencies {
  webhooks: Webhooks
  windows: Windows
  blockList: BlockList
  media: Media
  limits: Limits
  knobs: KnobBoard
  transcript: Transcript
  people: People
}

type Part = Record<string, unknown>

/** System messages, edits and deletions do not open the 24-hour window. */
const opensNoWindow = new Set(['system', 'edit', 'revoke'])

const withFiles = new Set(['image', 'document', 'audio', 'video', 'sticker'])

/** What the platform adds to the first message after a click on an ad. */
const sampleAd = {
  source_type: 'ad',
  source_id: '120210000000000001',
  source_url: 'https://fb.me/simulated-ad',
  headline: 'Chat with us',
  body: 'Ask anything and get an answer within minutes.',
  media_type: 'image',
  image_url: 'https://example.com/ad.jpg',
  ctwa_clid: 'ARAkSimulatedClick',
}

export function createInbound(deps: InboundDependencies): Inbound {
  const { webhooks, windows, blockList, media, limits, knobs, transcript, people } = deps

  async function fileOf(number: SimulatedNumber, type: string, part: Part, given: InboundMessage['media']) {
    if (part.id !== undefined) return part
    const sample = given
      ? { bytes: Buffer.from(given.base64, 'base64'), mimeType: given.mime_type, fileName: given.filename }
      : sampleMedia(type)
    const { id, sha256 } = await media.keep(number.account, sample.bytes, sample.mimeType, 'inbound')
    return {
      ...(type === 'document' && { filename: sample.fileName ?? 'document' }),
      ...(type === 'audio' && { voice: true }),
      ...(type === 'sticker' && { animated: false }),
      ...part,
      id,
      mime_type: sample.mimeType,
      // Webhooks carry the hash in Base64.
      sha256: Buffer.from(sha256, 'hex').toString('base64'),
    }
  }

  /** The type and content of a tap, with the message that it answers. */
  function tapped(number: SimulatedNumber, person: string, { message, tap }: InboundMessage): Part {
    if (message.type !== 'interactive' || message.interactive !== undefined) return {}
    const { id: wanted, ...context } = (message.context ?? {}) as { id?: string }
    const offers = transcript.offers(number, person)
    const offer = wanted
      ? offers.find(({ id }) => id === wanted)
      : (offers.find(({ part }) => tap && choiceIn(part, tap)) ?? offers[0])
    const from = number.display_phone_number.replace(/\D/g, '')
    return { ...tapOn(offer?.part, tap), ...(offer && { context: { from, ...context, id: offer.id } }) }
  }

  return {
    async receive(number, inbound) {
      const now = Date.now()
      const person = inbound.from ? inbound.from.replace(/\D/g, '') : (inbound.user_id as string)
      // The platform keeps messages of blocked people to itself; the person does not learn of it.
      if (await blockList.has(number, person)) return inbound.id ?? newMessageId('inbound', number.phone_number_id, now)
      const given = { ...inbound.message, ...tapped(number, person, inbound) }
      const type = String(given.type ?? 'text')
      if (isIdentityChange(type)) {
        people.forget(number, person)
        const id = inbound.id ?? newMessageId('inbound', number.phone_number_id, now)
        const timestamp = String(inbound.timestamp ?? Math.floor(now / 1000))
        const { part, json } = identityWebhook(number, type, inbound, { id, timestamp })
        webhooks.push(
          number,
          { part, json: escaped(json), time: Number(timestamp) },
          knobs.of(number.phone_number_id).delay_ms,
        )
        return id
      }
      const about = transcript.lastSent(number, person)
      const context = about && { context: { from: number.display_phone_number.replace(/\D/g, ''), id: about } }
      const message: Part = { ...defaults(type, about, context), ...given, type }
      if (withFiles.has(type)) message[type] = await fileOf(number, type, (message[type] ?? {}) as Part, inbound.media)
      // An emoji is enough: the reaction then refers to the last message of the business.
      if (type === 'reaction') message.reaction = { message_id: about, ...(message.reaction as Part) }
      // The new text is enough: the edit then refers to the person's last message.
      if (type === 'edit' || type === 'revoke')
        message[type] = { original_message_id: transcript.lastReceived(number, person), ...(message[type] as Part) }
      if (message.referral) message.referral = { ...sampleAd, ...(message.referral as Part) }
      if (type === 'text' && typeof message.text === 'string') message.text = { body: message.text }

      const id = inbound.id ?? newMessageId('inbound', number.phone_number_id, now)
      const { from, user_id, username, name } = inbound
      if (from && user_id) people.meet(number, person, user_id)
      const sender = {
        ...(from && { from: person }),
        ...(user_id && { from_user_id: user_id }),
      }
      const json = JSON.stringify({
        ...sender,
        timestamp: String(inbound.timestamp ?? Math.floor(now / 1000)),
        ...message,
        // Raw members may override anything except the id, which was returned to the caller.
        id,
      })
      const contact = JSON.stringify({
        profile: { name: name ?? (from ? `+${person}` : 'Test customer'), ...(username && { username }) },
        ...(from && { wa_id: person }),
        ...(user_id && { user_id }),
      })
      if (!opensNoWindow.has(type)) await windows.open(number, person, now)
      limits.countInbound(number, knobs.of(number.phone_number_id), now)
      transcript.received(number, person, name ?? null, id, message, now)
      const { delay_ms, order } = knobs.of(number.phone_number_id)
      const mixed = order === 'in_order' ? 0 : Math.random() * 50
      webhooks.push(number, { part: 'messages', json: escaped(json), contact: escaped(contact) }, delay_ms + mixed)
      return id
    },
  }
}

/** The members that a person's phone fills in. */
function defaults(type: string, about: string | undefined, context: Part | '' | undefined): Part {
  switch (type) {
    case 'text':
      return { text: { body: 'hi' } }
    case 'edit':
      return { edit: { message: { type: 'text', text: { body: 'hi there' } } } }
    case 'revoke':
      return { revoke: {} }
    case 'reaction':
      return { reaction: { message_id: about, emoji: '👍' } }
    case 'button':
      return { ...(context || {}), button: { payload: 'Yes', text: 'Yes' } }
    case 'interactive':
      return { ...(context || {}) }
    case 'location':
      return { location: { latitude: 37.7749, longitude: -122.4194, name: 'San Francisco', address: 'California' } }
    case 'contacts':
      return {
        contacts: [
          { name: { formatted_name: 'Jim', first_name: 'Jim' }, phones: [{ phone: '+14155550100', type: 'CELL' }] },
        ],
      }
    case 'order':
      return {
        order: {
          catalog_id: '701',
          text: '',
          product_items: [{ product_retailer_id: 'A1', quantity: 1, item_price: 12.5, currency: 'USD' }],
        },
      }
    case 'unsupported': {
      const title = 'Message type unknown'
      return {
        errors: [
          { code: 131051, title, message: title, error_data: { details: 'Message type is currently not supported.' } },
        ],
      }
    }
    default:
      return {}
  }
}
