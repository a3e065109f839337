import '@mantine/charts/styles.layer.css'
import type { api as types } from '@frontdesk/sdk'
import { BarChart } from '@mantine/charts'
import classes from './campaigns.module.css'

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const timeToTheSecond = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

const mostBars = 500

/** The service returns local times of the viewer, which are shown as they are. */
const labelOf = (at: string, step: number) =>
  (step >= 86_400 ? day : step >= 60 ? time : timeToTheSecond).format(new Date(`${at}Z`))

type Stretch = types.CampaignReport['stretches'][number]

/** The report omits intervals without messages; the chart needs them for a true time axis. */
function withoutGaps(stretches: Stretch[], step: number): Stretch[] {
  const all: Stretch[] = []
  for (const stretch of stretches) {
    let before = all.at(-1)?.at
    while (before && all.length < mostBars && Date.parse(`${before}Z`) + step * 1000 < Date.parse(`${stretch.at}Z`)) {
      before = new Date(Date.parse(`${before}Z`) + step * 1000).toISOString().slice(0, -1)
      all.push({ ...stretch, at: before, sent: 0, delivered: 0, read: 0 })
    }
    all.push(stretch)
  }
  return all
}

/** Messages over time, by their current status. */
export default function CampaignChart({ report }: { report: types.CampaignReport }) {
  const step = report.step_seconds ?? 60
  const data = withoutGaps(report.stretches, step).map(({ at, sent, delivered, read }) => ({
    at: labelOf(at, step),
    Read: read,
    Delivered: delivered - read,
    Sent: sent - delivered,
  }))
  return (
    <BarChart
      h={200}
      className={classes.chart}
      data={data}
      dataKey="at"
      type="stacked"
      withLegend
      maxBarWidth={40}
      yAxisProps={{ allowDecimals: false }}
      series={[
        { name: 'Read', color: 'var(--read)' },
        { name: 'Delivered', color: 'var(--delivered)' },
        { name: 'Sent', color: 'var(--sent)' },
      ]}
      barProps={{ isAnimationActive: false }}
      role="img"
      aria-label="Sends over time"
    />
  )
}
