import { Button, Popover, Select, Stack } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { memberChoices, useMembers } from '../../records/members/use-members.ts'
import { useTeams } from '../../records/teams/use-teams.ts'
import { useTicketTags } from '../../records/tickets/use-ticket-tags.ts'
import { priorityChoices } from './priorities.tsx'
import type { TicketFilters } from './tickets.ts'

const orders = [
  { value: '', label: 'Latest activity' },
  { value: 'priority', label: 'Priority' },
  { value: 'waiting_since', label: 'Longest wait' },
  { value: 'snoozed_until', label: 'End of snooze' },
  { value: 'sla_due_at', label: 'Due time' },
]

/** Filters besides the queue, and the order. */
export function MoreFilters({ filters }: { filters: TicketFilters }) {
  const { members, me } = useMembers()
  const { teams = [] } = useTeams()
  const tags = useTicketTags()
  const { assignee, team, priority, tag, sort } = filters
  const count = [assignee, team, priority, tag, sort].filter(Boolean).length
  const fields = [
    {
      name: 'assignee',
      label: 'Assigned to',
      value: assignee,
      data: [
        { value: '', label: 'Anyone' },
        { value: 'me', label: 'Assigned to me' },
        ...memberChoices(members.filter(({ id }) => id !== me?.id)),
      ],
    },
    ...(teams.length > 0 || team
      ? [
          {
            name: 'team',
            label: 'Team',
            value: team,
            data: [{ value: '', label: 'Any' }, ...teams.map(({ id, name }) => ({ value: id, label: name }))],
          },
        ]
      : []),
    { name: 'priority', label: 'Priority', value: priority, data: [{ value: '', label: 'Any' }, ...priorityChoices] },
    {
      name: 'tag',
      label: 'Tag',
      value: tag,
      data: [{ value: '', label: 'Any' }, ...[...new Set([...tags, ...(tag ? [tag] : [])])].map(asChoice)],
    },
    // Matches of a search and closed conversations are sorted by activity.
    ...(filters.canSort ? [{ name: 'sort', label: 'Sort by', value: sort, data: orders }] : []),
  ]
  return (
    <Popover position="bottom-start" width={260} trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconAdjustmentsHorizontal size={14} />}>
          {count > 0 ? `Filter (${count})` : 'Filter'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {fields.map(({ name, label, value, data }) => (
            <Select
              key={name}
              size="xs"
              label={label}
              value={value}
              onChange={(chosen) => filters.set({ [name]: chosen || undefined })}
              allowDeselect={false}
              searchable={data.length > 8}
              data={data}
              comboboxProps={{ withinPortal: false }}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

const asChoice = (tag: string) => ({ value: tag, label: tag })
