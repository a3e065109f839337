import { once } from '../../../platform/once.ts'
import { amount } from './figures.ts'
import type { Bar, Chart } from './report.ts'
import type { ReportFacts } from './schema.ts'

/** Messages by sending time, one bar per interval, including empty ones. */
export function chartOf({ stretches, step_seconds }: ReportFacts): Chart | null {
  const [first] = stretches
  const last = stretches.at(-1)
  if (!first || !last || step_seconds === null) return null
  const known = new Map(stretches.map((stretch) => [stretch.at, stretch]))
  const bars: Bar[] = []
  // Local times computed as if they were UTC: only their distance matters.
  for (let at = Date.parse(`${first.at}Z`); at <= Date.parse(`${last.at}Z`); at += step_seconds * 1000) {
    const name = new Date(at).toISOString().slice(0, 19)
    const { sent, delivered, read } = known.get(name) ?? { sent: 0, delivered: 0, read: 0 }
    bars.push({ at: name, label: labelOf(name, step_seconds), sent, delivered, read })
  }
  return { step: stepName(step_seconds), bars }
}

const formatOf = (parts: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', ...parts }))
const dayMonth = formatOf({ day: 'numeric' })
const monthYear = formatOf({ year: 'numeric' })

function labelOf(at: string, step: number): string {
  const time = new Date(`${at}Z`)
  if (step < 60) return at.slice(11)
  if (step <= 3_600) return at.slice(11, 16)
  if (step < 86_400) return `${dayMonth().format(time)} ${at.slice(11, 16)}`
  return step < 2_000_000 ? dayMonth().format(time) : monthYear().format(time)
}

function stepName(seconds: number): string {
  const units: [string, number][] = [
    ['week', 604_800],
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ]
  if (seconds > 604_800) return amount(seconds / 86_400, 'day')
  for (const [unit, length] of units)
    if (seconds % length === 0) return seconds === length ? unit : amount(seconds / length, unit)
  return seconds === 1 ? 'second' : amount(seconds, 'second')
}
