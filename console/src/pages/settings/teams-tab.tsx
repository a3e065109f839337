import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import { useMembers } from '../../records/members/use-members.ts'
import { useSchedules } from '../../records/schedules/use-schedules.ts'
import { SettingsList } from './settings-list.tsx'
import { methods, TeamForm } from './team-form.tsx'

/** Who handles conversations together, and how they are shared out. */
export function TeamsTab() {
  const list = useCursorList(['teams'], (starting_after, signal) =>
    api.teams.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  const { nameOf } = useMembers()
  const { nameOf: hoursOf } = useSchedules()
  return (
    <SettingsList
      noun="teams"
      text="Members who handle conversations together. Teams apply to both modes."
      what="team"
      empty="No teams yet"
      list={list}
      columns={[
        {
          label: 'Members',
          from: 'sm',
          cell: ({ member_ids }) =>
            member_ids
              .map((id) => nameOf(id, 'You'))
              .filter(Boolean)
              .join(', ') || 'No members',
        },
        {
          label: 'Assignment',
          from: 'sm',
          cell: ({ assignment }) => methods.find(({ value }) => value === assignment)?.label,
        },
        { label: 'Business hours', from: 'md', cell: ({ schedule_id }) => hoursOf(schedule_id) ?? 'Always open' },
      ]}
      consequence="The team’s conversations keep their assignees. A team that is in use cannot be deleted."
      remove={(id) => api.teams.delete(id)}
      form={(props) => <TeamForm {...props} />}
    />
  )
}
