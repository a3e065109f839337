import { exactly } from '../../ui/moment.tsx'
import { useWordsOfNow } from '../../ui/use-clock.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

function shortly(then: Date, now: number): string {
  const minutes = Math.floor((now - then.getTime()) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (new Date(now).toDateString() === then.toDateString()) return clock.format(then)
  return (minutes < 6 * 24 * 60 ? weekday : day).format(then)
}

/** When, in as few letters as a narrow list has room for. */
export function ShortMoment({ at }: { at: string }) {
  const then = new Date(at)
  return (
    <time dateTime={at} {...exactly}>
      {useWordsOfNow((now) => shortly(then, now))}
    </time>
  )
}
