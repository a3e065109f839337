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
