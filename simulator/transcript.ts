import type { SimulatedNumber } from './numbers.ts'
import { choicesIn } from './taps.ts'

/** The latest messages in both directions, for people who use the simulator by hand. */
interface TranscriptEntry {
  /** Increases with every change, so that a reader can poll for changes. */
  seq: number
  at: number
  direction: 'to_customer' | 'from_customer'
  phone_number_id: string
  person: string
  name: string | null
  id: string
  type: string
  text: string
  /** What the customer can tap. */
  options: string[]
  /** For a message to a customer: accepted, sent, delivered, read, failed. For one from a customer: null or read. */
  status: string | null
}

export interface Transcript {
  /** `offer`: the `interactive` object of a message with something to tap. */
  sent(
    number: SimulatedNumber,
    person: string,
    id: string,
    type: string,
    part: Part,
    text: string,
    at: number,
    offer?: Part,
  ): void
  received(number: SimulatedNumber, person: string, name: string | null, id: string, message: Part, at: number): void
  setStatus(id: string, status: string): void
  markRead(id: string, isTyping: boolean): void
  /** The last message of the business to this person: the default target of a reply, a tap or a reaction. */
  lastSent(number: SimulatedNumber, person: string): string | undefined
  /** The latest messages to this person with something to tap, newest first. */
  offers(number: SimulatedNumber, person: string): Offer[]
  /** The last message of this person: the default target of an edit or a deletion. */
  lastReceived(number: SimulatedNumber, person: string): string | undefined
  after(seq: number): TranscriptEntry[]
}

type Part = Record<string, unknown>

/** A message with something to tap: its id and its `interactive` object. */
interface Offer {
  id: string
  part: Part
}

const most = 500
const mostOffers = 20

/** These types arrive as messages but refer to another one, so they cannot be a target themselves. */
const notMessages = new Set(['edit', 'revoke', 'reaction', 'system', 'unsupported'])

export function createTranscript(): Transcript {
  const entries = new Map<string, TranscriptEntry>()
  const lastSent = new Map<string, string>()
  const lastReceived = new Map<string, string>()
  const offers = new Map<string, Offer[]>()
  let seq = 0

  function add(entry: Omit<TranscriptEntry, 'seq'>): void {
    entries.set(entry.id, { ...entry, seq: ++seq })
    if (entries.size > most) entries.delete(entries.keys().next().value as string)
  }
  function change(id: string, status: string): void {
    const entry = entries.get(id)
    if (!entry) return
    entry.status = status
    entry.seq = ++seq
  }
  return {
    sent({ phone_number_id, key }, person, id, type, part, text, at, offer) {
      const shown = text || textOf(type, part)
      add({
        at,
        direction: 'to_customer',
        phone_number_id,
        person,
        name: null,
        id,
        type,
        text: shown,
        options: offer ? optionsOf(offer) : [],
        status: 'accepted',
      })
      if (offer) {
        if (offers.size > 10_000) offers.clear()
        const before = offers.get(`${key} ${person}`) ?? []
        offers.set(`${key} ${person}`, [{ id, part: offer }, ...before].slice(0, mostOffers))
      }
      if (lastSent.size > 10_000) lastSent.clear()
      lastSent.set(`${key} ${person}`, id)
    },
    received({ phone_number_id, key }, person, name, id, message, at) {
      const type = String(message.type)
      if (lastReceived.size > 10_000) lastReceived.clear()
      if (!notMessages.has(type)) lastReceived.set(`${key} ${person}`, id)
      const text = textOf(type, (message[type] ?? {}) as Part)
      add({ at, direction: 'from_customer', phone_number_id, person, name, id, type, text, options: [], status: null })
    },
    setStatus: change,
    markRead: (id, isTyping) => change(id, isTyping ? 'read, typing' : 'read'),
    lastSent: ({ key }, person) => lastSent.get(`${key} ${person}`),
    offers: ({ key }, person) => offers.get(`${key} ${person}`) ?? [],
    lastReceived: ({ key }, person) => lastReceived.get(`${key} ${person}`),
    after: (from) => [...entries.values()].filter((entry) => entry.seq > from).sort((a, b) => a.seq - b.seq),
  }
}

function textOf(type: string, part: Part): string {
  if (type === 'text') return String(part.body ?? '')
  if (type === 'edit') return `(edited) ${textOfEdit(part)}`
  if (type === 'revoke') return '(deleted a message)'
  if (type === 'reaction') return part.emoji ? String(part.emoji) : '(reaction taken back)'
  if (type === 'button') return String(part.text ?? '')
  if (type === 'interactive') return textOfInteractive(part)
  if (type === 'location') return `📍 ${String(part.name ?? `${String(part.latitude)}, ${String(part.longitude)}`)}`
  if (type === 'template') return `(template ${String(part.name)})`
  return String(part.caption ?? part.filename ?? `(${type})`)
}

function textOfEdit({ message }: Part): string {
  const { type, ...parts } = (message ?? {}) as Part
  return textOf(String(type), (parts[String(type)] ?? {}) as Part)
}

/** The text of a message with choices, or the choice that a person made. */
function textOfInteractive(part: Part): string {
  const reply = part[String(part.type)] as Part | undefined
  const { text: body } = (part.body ?? {}) as Part
  return String(body ?? reply?.title ?? reply?.response_json ?? reply?.response ?? '(interactive)')
}

/** The button of a link, a form, a location request or products has no title of its own that comes back. */
function optionsOf(part: Part): string[] {
  if (part.type === 'location_request_message') return ['Send location']
  if (part.type === 'flow') return ['Fill in the form']
  if (part.type === 'product' || part.type === 'product_list') return ['Order']
  return choicesIn(part).map(({ title }) => String(title))
}
