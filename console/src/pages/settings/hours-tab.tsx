import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useCursorList, useRecord } from '../../data/use-records.ts'
import { Status } from '../../ui/status.tsx'
import { ScheduleForm, weekdays } from './schedule-form.tsx'
import { SettingsList } from './settings-list.tsx'

/** Consecutive days with the same hours in one line, as in "Monday to Friday 09:00–17:00". */
function summaryOf({ weekly_hours }: types.Schedule): string {
  const lines: { from: string; to: string; hours: string }[] = []
  for (const day of weekdays) {
    const hours = weekly_hours[day].map(({ from, until }) => `${from}–${until}`).join(', ')
    const last = lines.at(-1)
    if (last?.hours === hours) last.to = day
    else lines.push({ from: day, to: day, hours })
  }
  const short = (day: string) => day.charAt(0).toUpperCase() + day.slice(1, 3)
  const open = lines.filter(({ hours }) => hours !== '')
  if (open.length === 0) return 'Closed'
  return open
    .map(({ from, to, hours }) => `${from === to ? short(from) : `${short(from)}–${short(to)}`} ${hours}`)
    .join('; ')
}

/** When the organization is open: teams, channels, agents, campaigns and SLA policies follow these hours. */
export function HoursTab() {
  const list = useCursorList(['schedules'], (starting_after, signal) =>
    api.schedules.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  return (
    <SettingsList
      noun="schedules"
      text="When you are open. Teams, channels, agents, campaigns and SLA policies follow these hours, in both modes."
      what="business hours"
      empty="No business hours yet"
      list={list}
      columns={[
        { label: 'Hours', from: 'sm', cell: summaryOf },
        { label: 'Time zone', from: 'md', cell: ({ time_zone }) => time_zone },
        { label: 'Now', cell: (schedule) => <StateNow schedule={schedule} /> },
      ]}
      consequence="You cannot delete business hours that are in use."
      remove={(id) => api.schedules.delete(id)}
      form={(props) => <ScheduleForm {...props} />}
    />
  )
}

function StateNow({ schedule }: { schedule: types.Schedule }) {
  const { data } = useRecord(
    ['schedules', schedule.id, 'state', schedule.updated_at],
    (signal) => api.schedules.getState(schedule.id, {}, { signal }),
    { refetchInterval: 60_000 },
  )
  if (!data) return null
  return <Status tone={data.is_open ? 'good' : 'waiting'}>{data.is_open ? 'Open' : 'Closed'}</Status>
}
