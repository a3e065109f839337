import { randomFillSync } from 'node:crypto'

const random = Buffer.alloc(16 * 256)
let unused = 0
let lastMs = 0
let counter = 0

/** Before every id. */
export const lowestId = '00000000-0000-0000-0000-000000000000'

/**
 * Ids keep their order when the clock is set back. One that was set back further was wrong, and is followed: the ids
 * would otherwise lie in the future until it catches up.
 */
const maxAheadMs = 15 * 60_000

/**
 * UUID version 7: sorts by time. Within one process and millisecond a 12-bit counter keeps the order, as RFC 9562
 * (method 1) allows. Generated here because PostgreSQL before 18 has no `uuidv7()`.
 */
export function newId(): string {
  if (unused === 0) {
    randomFillSync(random)
    unused = 256
  }
  const bytes = random.subarray(--unused * 16, unused * 16 + 16)
  const now = Date.now()
  if (now > lastMs || lastMs - now > maxAheadMs) {
    lastMs = now
    counter = ((bytes[6] as number) << 3) | ((bytes[7] as number) >> 5)
  } else if (++counter > 0xfff) {
    // The counter overflowed within one millisecond: borrow the next millisecond, so that the order never breaks.
    lastMs++
    counter = 0
  }
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes[6] = 0x70 | (counter >> 8)
  bytes[7] = counter & 0xff
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** An id with another creation time, for records that are entered with their own date. */
export function idAt(instant: Date): string {
  const id = newId()
  const hex = instant.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`
}

/** Sorts before every id that was created at this time or later. */
export function lowestIdAt(instant: Date): string {
  const hex = Math.max(0, instant.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: unknown): text is string => typeof text === 'string' && uuid.test(text)
