import { Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

const names = ['search', 'agent', 'status', 'direction', 'contact', 'from', 'to'] as const
type Name = (typeof names)[number]
export type CallFilters = Record<Name, string>

const statuses = [
  { value: 'in-progress', label: 'In progress' },
  { value: 'completed', label: 'Completed' },
  { value: 'no-answer', label: 'No answer' },
  { value: 'busy', label: 'Busy' },
  { value: 'failed', label: 'Failed' },
]
const directions = [
  { value: 'outbound', label: 'Made by us' },
  { value: 'inbound', label: 'Received' },
]

/** What is looked for stands in the address, so that it can be sent to a colleague. */
export function useCallFilters() {
  const [params, setParams] = useSearchParams()
  const filters = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as CallFilters
  const set = (changes: Partial<CallFilters>) =>
    setParams(
      (now) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value) now.set(name, value)
          else now.delete(name)
        }
        return now
      },
      { replace: true },
    )
  return {
    filters,
    set,
    clear: () => setParams({}, { replace: true }),
    isFiltered: names.some((name) => filters[name] !== ''),
  }
}

const dayBefore = (days: number) => localDay(new Date(Date.now() - days * 86_400_000))
const localDay = (date: Date) =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`

/** The days that were asked for, in the viewer's zone, as the API wants times. */
export function rangeOf({ from, to }: Pick<CallFilters, 'from' | 'to'>) {
  const at = (day: string, days: number) => {
    const date = new Date(`${day}T00:00`)
    if (Number.isNaN(date.getTime())) return undefined
    date.setDate(date.getDate() + days)
    return date.toISOString()
  }
  return { started_after: from ? at(from, 0) : undefined, started_before: to ? at(to, 1) : undefined }
}

export function CallFilterBar({ filters, set, clear, isFiltered }: ReturnType<typeof useCallFilters>) {
  const { data: agents } = useRecord(['agents', 'names'], (signal) => api.agents.list({ limit: 100 }, { signal }))
  const searchLater = useDebouncedCallback((search: string) => set({ search: search.trim() }), 250)
  const presets = [
    { value: '', label: 'Any time' },
    { value: dayBefore(0), label: 'Today' },
    { value: dayBefore(6), label: 'Last 7 days' },
    { value: dayBefore(29), label: 'Last 30 days' },
    { value: 'between', label: 'Between …' },
  ]
  const isPreset = !filters.to && presets.some(({ value }) => value === filters.from)
  const [isBetween, setBetween] = useState(!isPreset)
  return (
    <Group gap="xs" mb="sm" align="flex-end">
      <TextInput
        // A search that was cleared elsewhere is cleared here too.
        key={filters.search === '' ? 'empty' : 'filled'}
        aria-label="Search calls"
        placeholder="Number or call id"
        leftSection={<IconSearch size={14} />}
        defaultValue={filters.search}
        onChange={(event) => searchLater(event.currentTarget.value)}
        w={{ base: '100%', xs: 220 }}
      />
      <Select
        aria-label="Agent"
        placeholder="Any agent"
        data={(agents?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        value={filters.agent || null}
        onChange={(agent) => set({ agent: agent ?? '' })}
        flex={{ base: '1 1 40%', xs: '0 0 170px' }}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={statuses}
        clearable
        value={filters.status || null}
        onChange={(status) => set({ status: status ?? '' })}
        flex={{ base: '1 1 40%', xs: '0 0 140px' }}
      />
      <Select
        aria-label="Direction"
        placeholder="Both directions"
        data={directions}
        clearable
        value={filters.direction || null}
        onChange={(direction) => set({ direction: direction ?? '' })}
        flex={{ base: '1 1 40%', xs: '0 0 150px' }}
      />
      <Select
        aria-label="When"
        data={presets}
        allowDeselect={false}
        value={isBetween ? 'between' : filters.from}
        onChange={(chosen) => {
          setBetween(chosen === 'between')
          if (chosen !== 'between') set({ from: chosen ?? '', to: '' })
        }}
        flex={{ base: '1 1 40%', xs: '0 0 140px' }}
      />
      {isBetween && (
        <>
          <TextInput
            type="date"
            aria-label="From"
            value={filters.from}
            max={filters.to || undefined}
            onChange={(event) => set({ from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            aria-label="To"
            value={filters.to}
            min={filters.from || undefined}
            onChange={(event) => set({ to: event.currentTarget.value })}
          />
        </>
      )}
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} />}
          onClick={() => {
            setBetween(false)
            clear()
          }}
        >
          Clear
        </Button>
      )}
    </Group>
  )
}
