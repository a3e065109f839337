/** Reads external data: no member is assumed to exist or to have the right type. */

export type Part = Record<string, unknown>

export const partOf = (value: unknown): Part =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Part) : {}

export const partsOf = (value: unknown): Part[] =>
  Array.isArray(value) ? value.filter((each) => each !== null && typeof each === 'object' && !Array.isArray(each)) : []

/** NUL and lone surrogates cannot be stored. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** A text that can be stored, truncated at a limit; empty where there is none. */
export const textOf = (value: unknown, mostCharacters = 65_536): string =>
  typeof value === 'string' ? storable(value.slice(0, mostCharacters)) : ''

/** An id is text, or an integer within the safe range; one that is too long is none. */
export function idOf(value: unknown, mostCharacters = 512): string | null {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof id === 'string' && id !== '' && id.length <= mostCharacters && !/[\0\s]/.test(id) ? storable(id) : null
}

const earliest = Date.UTC(2009, 0)

/** Unix seconds, as text or number, as ISO 8601: an invalid or future time becomes now. */
export function timeOf(value: unknown, now: Date): string {
  const ms = Number(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN) * 1000
  return (ms >= earliest && ms <= now.getTime() ? new Date(ms) : now).toISOString()
}

/**
 * The time of a message that was just written. The platform counts whole seconds: taken literally, a question and its
 * answer within one second would swap places.
 */
export function momentOf(value: unknown, now: Date): string {
  const at = Date.parse(timeOf(value, now))
  return new Date(now.getTime() - at < 5_000 ? Math.min(at + 999, now.getTime()) : at).toISOString()
}

const deepest = 32

/** A part to be stored as received, without what is nested too deeply. */
export function keepable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return textOf(value)
  if (value === null || typeof value !== 'object') return value
  if (depth >= deepest) return null
  if (Array.isArray(value)) return value.slice(0, 1000).map((each) => keepable(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 1000)
      .map(([key, each]) => [textOf(key, 255), keepable(each, depth + 1)]),
  )
}
