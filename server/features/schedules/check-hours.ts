import { invalid } from '../../platform/errors.ts'
import { minutesOf } from '../../platform/local-times.ts'
import { type Holiday, type Span, type WeeklyHours, weekdays } from './schema.ts'

const dayMinutes = 1440

/** In minutes of the day on which the span begins. */
function rangeOf({ from, until }: Span) {
  const [start, end] = [minutesOf(from), minutesOf(until)]
  return { start, end: end <= start ? end + dayMinutes : end }
}

export function checkWeek(hours: WeeklyHours): void {
  weekdays.forEach((day, i) => {
    checkDay(hours[day], ['body', 'weekly_hours', day])
    const next = weekdays[(i + 1) % 7] as (typeof weekdays)[number]
    const firstOfNext = Math.min(...hours[next].map((span) => rangeOf(span).start))
    const late = hours[day].findIndex((span) => rangeOf(span).end - dayMinutes > firstOfNext)
    if (late >= 0)
      throw invalid(['body', 'weekly_hours', day, `${late}`, 'until'], `This span runs into the hours of ${next}`)
  })
}

/** Their hours may run into those of the next day: common time counts once. */
export function checkHolidays(holidays: Holiday[]): void {
  const seen = new Set<string>()
  holidays.forEach(({ date, hours }, i) => {
    const loc = ['body', 'holidays', `${i}`]
    const parsed = new Date(`${date}T00:00:00Z`)
    if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== date)
      throw invalid([...loc, 'date'], `${date} is not a day of the calendar`)
    if (seen.has(date)) throw invalid([...loc, 'date'], `${date} is listed twice`)
    seen.add(date)
    checkDay(hours, [...loc, 'hours'])
  })
}

function checkDay(spans: Span[], loc: string[]): void {
  spans.forEach((span, i) => {
    const { start, end } = rangeOf(span)
    if (span.from === span.until)
      throw invalid(
        [...loc, `${i}`, 'until'],
        'A span must end at another time than it starts; a whole day is 00:00 to 24:00',
      )
    const other = spans.slice(0, i).find((each) => rangeOf(each).start < end && start < rangeOf(each).end)
    if (other) throw invalid([...loc, `${i}`], `This span overlaps with ${other.from} to ${other.until}`)
  })
}
