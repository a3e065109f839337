import { Tooltip } from '@mantine/core'
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
    <Tooltip label={exact.format(new Date(at))} openDelay={300}>
      <time dateTime={at}>{words}</time>
    </Tooltip>
  )
}
