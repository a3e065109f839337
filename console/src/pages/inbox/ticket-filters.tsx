import { ActionIcon, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { memberChoices, useMembers } from '../../records/members/use-members.ts'
import type { TicketFilters } from './tickets.ts'

/** Searches names, numbers and messages. Escape clears it, then leaves the field. */
export function SearchBox({ filters, inputRef }: { filters: TicketFilters; inputRef: Ref<HTMLInputElement> }) {
  const [words, setWords] = useState(filters.search)
  const settled = useRef(filters.search)
  const settle = useDebouncedCallback((value: string) => {
    settled.current = value.trim()
    filters.set({ search: settled.current || undefined })
  }, 200)
  // The search may change from outside: the back button, or "Clear filters".
  useEffect(() => {
    if (filters.search === settled.current) return
    settled.current = filters.search
    setWords(filters.search)
  }, [filters.search])
  const change = (value: string) => {
    setWords(value)
    settle(value)
  }
  return (
    <TextInput
      ref={inputRef}
      size="xs"
      value={words}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (words) change('')
        else event.currentTarget.blur()
      }}
      placeholder="Search names, numbers, messages"
      aria-label="Search conversations"
      leftSection={<IconSearch size={14} />}
      rightSection={
        words && (
          <ActionIcon size="xs" variant="subtle" color="gray" aria-label="Clear search" onClick={() => change('')}>
            <IconX size={12} />
          </ActionIcon>
        )
      }
    />
  )
}

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
