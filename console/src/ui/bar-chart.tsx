import { Tooltip } from '@mantine/core'
import classes from './bar-chart.module.css'

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })

/** More labels would overlap on a phone. */
const mostLabels = 5

interface Bar {
  /** The day, or the first day of what the bar covers. */
  date: string
  /** One value for each series; null where there is none. */
  values: (number | null)[]
}

/** Bars in proportion to a scale that starts at zero, with their dates. Small enough to need no chart library. */
export function BarChart({
  label,
  series,
  bars,
  format = (value) => value.toLocaleString(),
  roundUp = niceNumber,
}: {
  label: string
  /** What each value is, as in "12 messages". */
  series: string[]
  bars: Bar[]
  format?(value: number): string
  /** The top of the scale for the highest value. */
  roundUp?(highest: number): number
}) {
  const top = roundUp(Math.max(1, ...bars.flatMap(({ values }) => values.map((value) => value ?? 0))))
  const step = Math.ceil(bars.length / mostLabels)
  const wordsOf = ({ date, values }: Bar) =>
    `${full.format(new Date(date))}: ${series
      .map((name, i) => `${values[i] == null ? 'no' : format(values[i])} ${name}`)
      .join(', ')}`
  return (
    <figure className={classes.figure} aria-label={label}>
      <div className={classes.scale} aria-hidden>
        <span>{format(top)}</span>
        <span>{format(top / 2)}</span>
        <span>{format(0)}</span>
      </div>
      <ul className={classes.bars}>
        {bars.map((bar, n) => (
          <Tooltip key={bar.date} label={wordsOf(bar)}>
            <li className={classes.slot}>
              {bar.values.map((value, i) => (
                <div
                  // biome-ignore lint/suspicious/noArrayIndexKey: series have no ID
                  key={i}
                  className={classes.bar}
                  data-series={i}
                  style={{ height: `${(100 * (value ?? 0)) / top}%` }}
                />
              ))}
              {n % step === 0 && (
                <span className={classes.date} aria-hidden>
                  {short.format(new Date(bar.date))}
                </span>
              )}
              <span className="sr-only">{wordsOf(bar)}</span>
            </li>
          </Tooltip>
        ))}
      </ul>
      {series.length > 1 && (
        <figcaption className={classes.legend}>
          {series.map((name, i) => (
            <span key={name} data-series={i}>
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  )
}

/** The next of 2, 4, 6, 8, 10, 20, 40 …: half of it is a whole number too. */
function niceNumber(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest))
  const step = [1, 2, 4, 6, 8, 10].find((each) => each * power >= highest) ?? 10
  return Math.max(2, step * power)
}
