const extended =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i
const basic = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** Any ISO 8601 date-time, as UTC with milliseconds; without an offset it is UTC already. Undefined when it is none. */
export function parseInstant(text: string): string | undefined {
  const match = extended.exec(text) ?? basic.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset = 'Z'] = match as string[]
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3))
  const fields = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const local = new Date(Date.UTC(fields[0], fields[1] - 1, fields[2], fields[3], fields[4], fields[5], ms))
  // Date.UTC rolls over: 30 February would become 2 March.
  const same =
    local.getUTCMonth() === fields[1] - 1 &&
    local.getUTCDate() === fields[2] &&
    local.getUTCHours() === fields[3] &&
    local.getUTCMinutes() === fields[4] &&
    local.getUTCSeconds() === fields[5]
  // Years below 100 mean another century to Date.UTC, and nobody's tasks are due then.
  if (!same || fields[0] < 100) return undefined
  const shift = offsetMinutes(offset)
  if (shift === undefined) return undefined
  const instant = new Date(local.getTime() - shift * 60_000)
  const iso = instant.toISOString()
  return iso.length === 24 ? iso : undefined
}

function offsetMinutes(offset: string): number | undefined {
  if (offset.toUpperCase() === 'Z') return 0
  const digits = offset.replace(':', '').slice(1).padEnd(4, '0')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2))
  if (hours > 14 || minutes > 59) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
