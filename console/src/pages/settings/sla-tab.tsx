import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import { useSchedules } from '../../records/schedules/use-schedules.ts'
import { useTeams } from '../../records/teams/use-teams.ts'
import { durationText } from '../../ui/duration.ts'
import { SettingsList } from './settings-list.tsx'
import { priorities, SlaForm } from './sla-form.tsx'

const targetsOf = ({ first_reply_minutes, next_reply_minutes, resolution_minutes }: types.SlaPolicy): string =>
  [
    first_reply_minutes && `First reply ${durationText(first_reply_minutes * 60)}`,
    next_reply_minutes && `next reply ${durationText(next_reply_minutes * 60)}`,
    resolution_minutes && `resolution ${durationText(resolution_minutes * 60)}`,
  ]
    .filter(Boolean)
    .join(', ')

/** How soon conversations are to be answered and closed. */
export function SlaTab() {
  const list = useCursorList(['sla-policies'], (starting_after, signal) =>
    api.slaPolicies.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  const { nameOf: teamOf } = useTeams()
  const { nameOf: hoursOf } = useSchedules()
  const appliesTo = ({ team_id, priority }: types.SlaPolicy): string => {
    const words = [
      team_id && teamOf(team_id),
      priority && `${priorities.find(({ value }) => value === priority)?.label} priority`,
    ].filter(Boolean)
    return words.join(', ') || 'All conversations'
  }
  return (
    <SettingsList
      noun="sla-policies"
      text="How soon to answer and close conversations. The most specific policy applies: by priority first, then by team."
      what="SLA policy"
      empty="No SLA policies yet"
      list={list}
      columns={[
        { label: 'Applies to', from: 'xs', cell: appliesTo },
        { label: 'Targets', from: 'sm', cell: targetsOf },
        { label: 'Business hours', from: 'md', cell: ({ schedule_id }) => hoursOf(schedule_id) ?? 'Around the clock' },
      ]}
      consequence="Conversations no longer get due times from this policy."
      remove={(id) => api.slaPolicies.delete(id)}
      form={(props) => <SlaForm {...props} />}
    />
  )
}
