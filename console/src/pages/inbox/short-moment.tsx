import { useEffect, useState } from 'react'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** When, in as few letters as a narrow list has room for. */
export function ShortMoment({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  const then = new Date(at)
  const minutes = Math.floor((now - then.getTime()) / 60_000)
  const isToday = new Date(now).toDateString() === then.toDateString()
  const words =
    minutes < 1
      ? 'now'
      : minutes < 60
        ? `${minutes} min`
        : isToday
          ? clock.format(then)
          : minutes < 6 * 24 * 60
            ? weekday.format(then)
            : day.format(then)
  return (
    <time dateTime={at} title={exact.format(then)}>
      {words}
    </time>
  )
}
