import { Select } from '@mantine/core'
import { memberChoices, useMembers } from '../../records/members/use-members.ts'
import type { TicketFilters } from './tickets.ts'

export function AssigneeFilter({ filters }: { filters: TicketFilters }) {
  const { members, me } = useMembers()
  return (
    <Select
      size="xs"
      flex={1}
      aria-label="Assigned to"
      value={filters.assignee}
      onChange={(assignee) => filters.set({ assignee: assignee || undefined })}
      allowDeselect={false}
      data={[
        { value: '', label: 'Anyone' },
        { value: 'me', label: 'Assigned to me' },
        ...memberChoices(members.filter(({ id }) => id !== me?.id)),
      ]}
    />
  )
}
