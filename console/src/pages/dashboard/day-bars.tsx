import { Card, Group, Skeleton, Text, Title, Tooltip } from '@mantine/core'
import { Link } from 'react-router'
import classes from './day-bars.module.css'

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'narrow', timeZone: 'UTC' })
const full = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

/** One bar per day, without a chart library. */
export function DayBars({
  title,
  noun,
  days,
  to,
}: {
  title: string
  noun: string
  days: { date: string; count: number }[] | undefined
  to: string
}) {
  const total = days?.reduce((sum, { count }) => sum + count, 0)
  const highest = Math.max(1, ...(days ?? []).map(({ count }) => count))
  return (
    <Card withBorder component={Link} to={to} className={classes.card}>
      <Group justify="space-between" align="baseline" mb="sm">
        <Title order={2}>{title}</Title>
        <Text size="sm" c="dimmed">
          {total === undefined ? (
            <Skeleton height={14} width={60} />
          ) : (
            `${total.toLocaleString()} in ${days?.length} days`
          )}
        </Text>
      </Group>
      <ul className={classes.bars}>
        {(days ?? Array.from({ length: 14 }, (_, n) => ({ date: `2000-01-${n + 10}`, count: 0 }))).map(
          ({ date, count }) => (
            <Tooltip key={date} label={`${full.format(new Date(date))}: ${count.toLocaleString()} ${noun}`}>
              <li className={classes.day}>
                <div
                  className={classes.bar}
                  style={{ height: `${(100 * count) / highest}%` }}
                  data-empty={count === 0}
                />
                <span aria-hidden>{weekday.format(new Date(date))}</span>
                <span className="sr-only">
                  {full.format(new Date(date))}: {count} {noun}
                </span>
              </li>
            </Tooltip>
          ),
        )}
      </ul>
    </Card>
  )
}
