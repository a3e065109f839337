import { afterQuietHours, nextLocalTime } from '../../platform/local-times.ts'
import type { SendingTimes } from './schema.ts'

/** Enough for a small rate that may send for minutes a day; a campaign that takes longer has no estimate. */
const maxSteps = 5_000
const farAheadMs = 10 * 365 * 86_400_000

/** Plays through the sending of a campaign: the time of its last message, in ISO 8601. */
export function estimateLastSend({
  start,
  zones,
  rate,
  times,
  openSpans = [{ opensAt: start, closesAt: Number.POSITIVE_INFINITY }],
}: {
  start: number
  zones: { zone: string; count: number }[]
  rate: number
  times: SendingTimes | null
  /** In order; without business hours it is always open. */
  openSpans?: { opensAt: number; closesAt: number }[]
}): string | null {
  const quiet = times?.quiet_hours ?? null
  const waiting = zones.map(({ zone, count }) => ({
    zone,
    count,
    at: times?.local_time ? nextLocalTime(start, zone, times.local_time) : start,
  }))
  let clock = waiting.length === 0 ? null : start
  for (let step = 0; clock !== null && waiting.length > 0; step++) {
    if (step > maxSteps || clock > start + farAheadMs) return null
    const next = waiting.reduce((first, each) => (each.at < first.at ? each : first))
    const begin: number = Math.max(clock, next.at)
    const earliest = afterQuietHours(begin, next.zone, quiet)
    const span = openSpans.find(({ closesAt }) => closesAt > earliest)
    if (!span) return null
    next.at = Math.max(earliest, span.opensAt)
    if (next.at > begin) continue
    const pause = Math.min(span.closesAt, quiet ? nextLocalTime(begin, next.zone, quiet.from) : span.closesAt)
    const count = Math.min(next.count, Math.max(1, Math.floor(((pause - begin) / 1000) * rate)))
    clock = begin + (count * 1000) / rate
    next.count -= count
    if (next.count === 0) waiting.splice(waiting.indexOf(next), 1)
  }
  return clock === null ? null : new Date(clock).toISOString()
}
