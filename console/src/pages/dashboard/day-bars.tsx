import { Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { BarChart } from '../../ui/bar-chart.tsx'
import classes from '../../ui/layout.module.css'

/** One bar per day. */
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
  return (
    <Card withBorder component={Link} to={to} className={classes.linked}>
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
      {days ? (
        <BarChart label={title} series={[noun]} bars={days.map(({ date, count }) => ({ date, values: [count] }))} />
      ) : (
        <Skeleton height={134} />
      )}
    </Card>
  )
}
