import type { PointerEvent } from 'react'
import { useWordsOfNow } from './use-clock.ts'

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/**
 * Exactly when, for whoever points at it. Hundreds of these stand on a page: to write each out beforehand, or to give
 * each a floating box, would cost more than all the rest of it.
 */
export const exactly = {
  onPointerEnter({ currentTarget }: PointerEvent<HTMLTimeElement>) {
    currentTarget.title = exact.format(new Date(currentTarget.dateTime))
  },
}

export function relativeTo(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? []
  return unit && size ? relative.format(Math.round(seconds / size), unit) : 'just now'
}

/** How long ago, and exactly when for whoever points at it, in the viewer's zone. */
export function Moment({ at }: { at: string | null }) {
  const words = useWordsOfNow((now) => (at ? relativeTo(at, now) : ''))
  if (!at) return <span>–</span>
  return (
    <time dateTime={at} {...exactly}>
      {words}
    </time>
  )
}
