import '@mantine/charts/styles.css'
import type { api as types } from '@frontdesk/sdk'
import { BarChart } from '@mantine/charts'

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const timeToTheSecond = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The service has put the moments on the viewer's clocks already: they are shown as they are. */
const labelOf = (at: string, step: number) =>
  (step >= 86_400 ? day : step >= 60 ? time : timeToTheSecond).format(new Date(`${at}Z`))

/** Sends over time, and what became of those of each stretch since. */
export default function CampaignChart({ report }: { report: types.CampaignReport }) {
  const { stretches, step_seconds: step } = report
  const data = stretches.map(({ at, sent, delivered, read }) => ({
    at: labelOf(at, step ?? 60),
    Read: read,
    Delivered: delivered - read,
    Sent: sent - delivered,
  }))
  return (
    <BarChart
      h={200}
      data={data}
      dataKey="at"
      type="stacked"
      withLegend
      maxBarWidth={40}
      gridAxis="y"
      series={[
        { name: 'Read', color: 'desk.7' },
        { name: 'Delivered', color: 'desk.4' },
        { name: 'Sent', color: 'gray.5' },
      ]}
      barProps={{ isAnimationActive: false }}
      aria-label="Sends over time"
    />
  )
}
