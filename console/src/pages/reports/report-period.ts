import { type Filters, useFilters } from '../../ui/use-filters.ts'

export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export type ReportFilter = 'from' | 'until' | 'zone' | 'channel' | 'member' | 'team' | 'ticket_tag' | 'tag'

const dayMs = 86_400_000
const dateAfter = (date: string, days: number) => new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

export interface ReportPeriod {
  from: string
  until: string
  time_zone: string
  interval: 'day' | 'week' | 'month'
}

/** The period in the address: by default the last 28 days of the viewer's time zone. */
export function useReportPeriod(): { filters: Filters<ReportFilter>; period: ReportPeriod; today: string } {
  const filters = useFilters<ReportFilter>(['from', 'until', 'zone', 'channel', 'member', 'team', 'ticket_tag', 'tag'])
  const { zone: time_zone = viewerZone } = filters.values
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone }).format(new Date())
  const until = filters.values.until ?? today
  const from = filters.values.from ?? dateAfter(until, -27)
  const days = (Date.parse(until) - Date.parse(from)) / dayMs + 1
  return {
    filters,
    today,
    period: { from, until, time_zone, interval: days <= 31 ? 'day' : days <= 182 ? 'week' : 'month' },
  }
}

/** What conversations are narrowed to, as the API names it. */
export const conversationFilters = ({
  values: { channel: channel_id, member: member_id, team: team_id, ticket_tag, tag },
}: Filters<ReportFilter>) => ({ channel_id, member_id, team_id, ticket_tag, tag })

/** Periods to choose from, as their first day; they end today. */
export const periodChoices = (today: string) => [
  { value: dateAfter(today, -6), label: 'Last 7 days' },
  { value: dateAfter(today, -27), label: 'Last 28 days' },
  { value: dateAfter(today, -89), label: 'Last 90 days' },
  { value: dateAfter(today, -364), label: 'Last 365 days' },
]

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
export const daysText = ({ from, until }: { from: string; until: string }) =>
  day.formatRange(new Date(from), new Date(until))
