import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Message ids encode their number, direction and time: whether an id is known can be checked without storing every
 * message.
 */
interface MessageIdFacts {
  direction: 'inbound' | 'outbound'
  at: number
}

const letterOf = { inbound: 'i', outbound: 'o' }
const directionOf: Record<string, MessageIdFacts['direction']> = { i: 'inbound', o: 'outbound' }
const shape = /^([io])([0-9a-f]{8})([0-9a-z]{9})([0-9a-f]{12})([0-9a-z]{6})([0-9a-f]{8})$/

const process = randomBytes(6).toString('hex')
let count = 0
const numberMarks = new Map<string, string>()

const hex8 = (value: number) => value.toString(16).padStart(8, '0')

function markOf(phoneNumberId: string): string {
  const known = numberMarks.get(phoneNumberId)
  if (known !== undefined) return known
  const mark = hex8(crc32(phoneNumberId))
  numberMarks.set(phoneNumberId, mark)
  return mark
}

export function newMessageId(direction: MessageIdFacts['direction'], phoneNumberId: string, now: number): string {
  count = (count + 1) % 36 ** 6
  const text = `${letterOf[direction]}${markOf(phoneNumberId)}${now.toString(36).padStart(9, '0')}${process}${count
    .toString(36)
    .padStart(6, '0')}`
  return `wamid.${btoa(text + hex8(crc32(text)))}`
}

/** Nothing for an id that does not belong to a message of this number. */
export function readMessageId(id: unknown, phoneNumberId: string): MessageIdFacts | undefined {
  if (typeof id !== 'string' || !id.startsWith('wamid.') || id.length > 200) return undefined
  const text = Buffer.from(id.slice(6), 'base64').toString('latin1')
  const parts = shape.exec(text)
  if (!parts) return undefined
  const [, letter = '', mark, time = '', , , check] = parts
  if (mark !== markOf(phoneNumberId) || hex8(crc32(text.slice(0, -8))) !== check) return undefined
  return { direction: directionOf[letter] as MessageIdFacts['direction'], at: Number.parseInt(time, 36) }
}
