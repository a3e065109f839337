import type { Static } from 'typebox'
import { invalid } from '../../platform/errors.ts'
import { isTimeZone } from '../../platform/instants.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import type { PeriodFilter, periodMembers, ReportInterval } from './schema.ts'

const dayMs = 86_400_000
const defaultDays = 28
/** Five years. */
const mostDays = 1_827

/** Days from midnight to midnight of a time zone. */
export interface Period {
  from: string
  until: string
  /** As many days, right before. */
  previousFrom: string
  previousUntil: string
  timeZone: string
  interval: ReportInterval
}

/** Without dates, the last four weeks, today included. */
export function readPeriod({ from, until, time_zone: timeZone, interval }: PeriodFilter, now = new Date()): Period {
  if (!isTimeZone(timeZone))
    throw invalid(['query', 'time_zone'], 'Not a time zone: use an IANA name such as Europe/Berlin')
  const last = until ?? (from === undefined ? localDate(now, timeZone) : dateAfter(from, defaultDays - 1))
  const first = from ?? dateAfter(last, 1 - defaultDays)
  const days = daysOf({ from: first, until: last })
  if (days < 1) throw invalid(['query', 'until'], 'until must not be before from')
  if (days > mostDays) throw invalid(['query', 'until'], `A report covers at most five years (${mostDays} days)`)
  return {
    from: first,
    until: last,
    previousFrom: dateAfter(first, -days),
    previousUntil: dateAfter(first, -1),
    timeZone,
    interval,
  }
}

export const daysOf = ({ from, until }: Pick<Period, 'from' | 'until'>): number =>
  (Date.parse(until) - Date.parse(from)) / dayMs + 1

/** As the answer shows it. */
export const periodOf = (
  period: Period,
): { [Name in keyof typeof periodMembers]: Static<(typeof periodMembers)[Name]> } => ({
  period: { from: period.from, until: period.until },
  previous_period: { from: period.previousFrom, until: period.previousUntil },
  time_zone: period.timeZone,
  interval: period.interval,
})

const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

/** Sweden writes dates as ISO 8601 does. */
const localDate = (at: Date, timeZone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at)

/** The midnight with which a day starts. */
const midnight = (date: Fragment, { timeZone }: Period): Fragment => sql`(${date}::timestamp at time zone ${timeZone})`

/**
 * The beginning of the period before, of the period, and the end of the period. Expressions and not a subquery: the
 * planner then knows how many rows lie between them.
 */
export const boundsOf = (period: Period) => ({
  previous: midnight(sql`${period.previousFrom}`, period),
  first: midnight(sql`${period.from}`, period),
  beyond: midnight(sql`(${period.until}::date + 1)`, period),
})

/** The first day of the interval that a time lies in; the first interval begins with the period. */
export const intervalOf = (time: Fragment, { interval, timeZone, from }: Period): Fragment =>
  sql`greatest(date_trunc(${interval}, ${time} at time zone ${timeZone})::date, ${from}::date)`

/** The first moment of a day: where clocks go back to midnight, the earlier of the two. */
export function startOf(date: Fragment, period: Period): Fragment {
  const later = midnight(date, period)
  return sql`case when ((${later} - interval '1 hour') at time zone ${period.timeZone})::date = ${date}
    then ${later} - interval '1 hour' else ${later} end`
}

export const intervalsOf = ({ interval, from, until }: Period): Fragment => sql`
  select greatest(day::date, ${from}::date) as date
  from generate_series(date_trunc(${interval}, ${from}::timestamp), ${until}::timestamp, ('1 ' || ${interval})::interval) day`
