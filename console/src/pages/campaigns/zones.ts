/** Local times in different time zones. */

export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export const allZones: string[] = [...new Set([viewerZone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()

function offsetMs(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Math.floor(at / 1000) * 1000
}

/** The instant of a local time such as `2027-03-01T09:00` in a zone. */
export function instantOf(local: string, zone: string): Date {
  const asIfUtc = Date.parse(`${local}Z`)
  const guess = asIfUtc - offsetMs(asIfUtc, zone)
  // Around a DST change the first guess may use the wrong offset.
  return new Date(asIfUtc - offsetMs(guess, zone))
}

/** The local time in a zone, as `2027-03-01T09:00`. */
export const localOf = (at: Date, zone: string): string =>
  new Date(at.getTime() + offsetMs(at.getTime(), zone)).toISOString().slice(0, 16)

export const clockOf = (at: Date | string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at))

/** Night time in a zone. */
export function isNight(at: Date, zone: string): boolean {
  const hour = Number(localOf(at, zone).slice(11, 13))
  return hour < 8 || hour >= 21
}

/** For countries with several zones, the most populous one. */
const zonesByPrefix: Record<string, string> = {
  '1': 'America/New_York',
  '7': 'Europe/Moscow',
  '20': 'Africa/Cairo',
  '27': 'Africa/Johannesburg',
  '30': 'Europe/Athens',
  '31': 'Europe/Amsterdam',
  '32': 'Europe/Brussels',
  '33': 'Europe/Paris',
  '34': 'Europe/Madrid',
  '36': 'Europe/Budapest',
  '39': 'Europe/Rome',
  '40': 'Europe/Bucharest',
  '41': 'Europe/Zurich',
  '43': 'Europe/Vienna',
  '44': 'Europe/London',
  '45': 'Europe/Copenhagen',
  '46': 'Europe/Stockholm',
  '47': 'Europe/Oslo',
  '48': 'Europe/Warsaw',
  '49': 'Europe/Berlin',
  '51': 'America/Lima',
  '52': 'America/Mexico_City',
  '54': 'America/Argentina/Buenos_Aires',
  '55': 'America/Sao_Paulo',
  '56': 'America/Santiago',
  '57': 'America/Bogota',
  '60': 'Asia/Kuala_Lumpur',
  '61': 'Australia/Sydney',
  '62': 'Asia/Jakarta',
  '63': 'Asia/Manila',
  '64': 'Pacific/Auckland',
  '65': 'Asia/Singapore',
  '66': 'Asia/Bangkok',
  '81': 'Asia/Tokyo',
  '82': 'Asia/Seoul',
  '84': 'Asia/Ho_Chi_Minh',
  '86': 'Asia/Shanghai',
  '90': 'Europe/Istanbul',
  '91': 'Asia/Kolkata',
  '92': 'Asia/Karachi',
  '212': 'Africa/Casablanca',
  '234': 'Africa/Lagos',
  '254': 'Africa/Nairobi',
  '351': 'Europe/Lisbon',
  '353': 'Europe/Dublin',
  '358': 'Europe/Helsinki',
  '380': 'Europe/Kyiv',
  '420': 'Europe/Prague',
  '880': 'Asia/Dhaka',
  '961': 'Asia/Beirut',
  '962': 'Asia/Amman',
  '965': 'Asia/Kuwait',
  '966': 'Asia/Riyadh',
  '971': 'Asia/Dubai',
  '972': 'Asia/Jerusalem',
  '974': 'Asia/Qatar',
}

function zoneOfNumber(number: string): string | undefined {
  const digits = number.replace(/\D/g, '')
  return zonesByPrefix[digits.slice(0, 3)] ?? zonesByPrefix[digits.slice(0, 2)] ?? zonesByPrefix[digits.slice(0, 1)]
}

/** The most frequent time zone of these numbers. */
export function commonZone(numbers: string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const number of numbers) {
    const zone = zoneOfNumber(number)
    if (zone) counts.set(zone, (counts.get(zone) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}
