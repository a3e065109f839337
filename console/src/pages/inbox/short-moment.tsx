import { exactTimeOnHover } from '../../ui/moment.tsx'
import { timeOfDay } from '../../ui/time-of-day.ts'
import { useTextAt } from '../../ui/use-clock.ts'

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

function shortly(then: Date, now: number): string {
  const minutes = Math.floor((now - then.getTime()) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (new Date(now).toDateString() === then.toDateString()) return timeOfDay(then)
  return (minutes < 6 * 24 * 60 ? weekday : day).format(then)
}

/** A short relative time for narrow lists. */
export function ShortMoment({ at }: { at: string }) {
  const then = new Date(at)
  return (
    <time dateTime={at} {...exactTimeOnHover}>
      {useTextAt((now) => shortly(then, now))}
    </time>
  )
}
