const extended =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i
const basic = /^(\d{4})(\d{2})(\d{2})T(\d{2})(?:(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * Parses any ISO 8601 date-time to UTC with milliseconds; without an offset it counts as UTC. Undefined when it is
 * invalid.
 */
export function parseInstant(text: string): string | undefined {
  const match = extended.exec(text) ?? basic.exec(text)
  if (!match) return undefined
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((field) => Number(field ?? 0)) as Fields
  const midnight = new Date(Date.UTC(year, month - 1, day))
  // Date.UTC rolls over: 30 February would become 2 March.
  const isDay = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day
  // Date.UTC moves years below 100 to the 20th century; no record needs such a year.
  if (!isDay || year < 100 || !isTime(hour, minute, second + fraction / 1000)) return undefined
  const shift = offsetMinutes(match[8] ?? 'Z')
  if (shift === undefined) return undefined
  const seconds = (hour * 60 + minute - shift) * 60 + second
  const iso = new Date(midnight.getTime() + seconds * 1000 + fraction).toISOString()
  return iso.length === 24 ? iso : undefined
}

type Fields = [year: number, month: number, day: number, hour: number, minute: number, second: number]

/** 24:00 ends a day, and a minute may have a leap second: both equal the start of the next day or minute. */
function isTime(hour: number, minute: number, second: number): boolean {
  if (hour === 24) return minute === 0 && second === 0
  return hour < 24 && minute < 60 && second < (minute === 59 ? 61 : 60)
}

function offsetMinutes(offset: string): number | undefined {
  if (offset.toUpperCase() === 'Z') return 0
  const digits = offset.replace(':', '').slice(1).padEnd(4, '0')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2))
  if (hours > 23 || minutes > 59) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** A name such as Europe/Berlin. Offsets are refused: PostgreSQL reads their signs the other way round. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
