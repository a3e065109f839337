import type { PointerEvent } from 'react'
import { useTextAt } from './use-clock.ts'

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
 * The exact time as tooltip. It is formatted on hover, because a page has hundreds of times and formatting each, or
 * rendering a tooltip component for each, is slow.
 */
export const exactTimeOnHover = {
  onPointerEnter({ currentTarget }: PointerEvent<HTMLTimeElement>) {
    currentTarget.title = exact.format(new Date(currentTarget.dateTime))
  },
}

function relativeTo(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? []
  return unit && size ? relative.format(Math.round(seconds / size), unit) : 'just now'
}

/** A relative time, with the exact one in the viewer's time zone on hover. */
export function Moment({ at }: { at: string | null }) {
  const words = useTextAt((now) => (at ? relativeTo(at, now) : ''))
  if (!at) return <span>–</span>
  return (
    <time dateTime={at} {...exactTimeOnHover}>
      {words}
    </time>
  )
}
