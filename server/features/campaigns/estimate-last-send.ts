import { afterQuietHours, nextLocalTime } from '../../platform/local-times.ts'
import type { SendingTimes } from './schema.ts'

/** Enough for a low rate that may send for a few minutes a day. A campaign that takes longer has no estimate. */
const maxSteps = 5_000
const farAheadMs = 10 * 365 * 86_400_000

/**
 * Simulates the sending of a campaign and returns the time of its last message, in ISO 8601; null if it takes too long.
 */
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
  /** In order. By default, for a campaign without business hours, one span without an end. */
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
