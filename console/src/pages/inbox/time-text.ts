const near = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' })
const date = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
const far = new Intl.DateTimeFormat(undefined, date)
const inAnotherYear = new Intl.DateTimeFormat(undefined, { year: 'numeric', ...date })

/** A time, as short as it is clear: the weekday within six days from now or before, else the date. */
export function timeText(at: Date, now = Date.now()): string {
  if (Math.abs(at.getTime() - now) < 6 * 24 * 3_600_000) return near.format(at)
  return (at.getFullYear() === new Date(now).getFullYear() ? far : inAnotherYear).format(at)
}
