/** Times of day such as `09:30` in a time zone. The database has the same functions, in SQL. */

const dayMs = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** The wall clock of the zone as if it were UTC. */
function localMs(at: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  formats.set(timeZone, format)
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour, minute, second } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

function instantOf(local: number, zone: string): number {
  const guess = local - (localMs(local, zone) - local)
  // Around a change of the clocks the first guess may have the wrong offset.
  return local - (localMs(guess, zone) - guess)
}

/** The first moment, from `at` on, at which clocks of the zone show this time. */
export function nextLocalTime(at: number, zone: string, time: string): number {
  const local = localMs(at, zone)
  const today = local - (local % dayMs) + minutesOf(time) * 60_000
  const first = instantOf(today, zone)
  return first >= at ? first : instantOf(today + dayMs, zone)
}

interface QuietHours {
  from: string
  until: string
}

/** The moment itself, or the end of the quiet hours that it falls in. */
export function afterQuietHours(at: number, zone: string, quiet: QuietHours | null): number {
  return quiet && isQuiet((localMs(at, zone) % dayMs) / 60_000, quiet) ? nextLocalTime(at, zone, quiet.until) : at
}

function isQuiet(minutes: number, quiet: QuietHours): boolean {
  const [from, until] = [minutesOf(quiet.from), minutesOf(quiet.until)]
  return from < until ? minutes >= from && minutes < until : minutes >= from || minutes < until
}

export const isQuietTime = (time: string, quiet: QuietHours): boolean => isQuiet(minutesOf(time), quiet)
