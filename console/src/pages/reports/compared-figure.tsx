import { Figure } from '../../ui/figure.tsx'
import { daysText } from './report-period.ts'

/** A figure with that of the period before. */
export function ComparedFigure({
  label,
  now,
  before,
  previous,
  format = (value) => value.toLocaleString(),
}: {
  label: string
  /** Undefined while it is loading; null if there is none. */
  now: number | null | undefined
  before: number | null | undefined
  previous: { from: string; until: string } | undefined
  format?(value: number): string
}) {
  const then = before == null ? 'None' : format(before)
  return (
    <Figure
      label={label}
      value={now === undefined ? undefined : now === null ? '–' : format(now)}
      note={previous ? `${then} in ${daysText(previous)}` : ' '}
    />
  )
}
