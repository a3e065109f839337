import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAgents } from '../../records/agents/use-agents.ts'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { type Filters, useFilters } from '../../ui/use-filters.ts'

type Name = 'search' | 'agent' | 'status' | 'direction' | 'contact' | 'from' | 'to'
export type CallFilters = Filters<Name>['values']

const statuses = [
  { value: 'in-progress', label: 'In progress' },
  { value: 'completed', label: 'Completed' },
  { value: 'no-answer', label: 'No answer' },
  { value: 'busy', label: 'Busy' },
  { value: 'failed', label: 'Failed' },
]
const directions = [
  { value: 'outbound', label: 'Outbound' },
  { value: 'inbound', label: 'Inbound' },
]

export const useCallFilters = () =>
  useFilters<Name>(['search', 'agent', 'status', 'direction', 'contact', 'from', 'to'])

const dayBefore = (days: number) => localDay(new Date(Date.now() - days * 86_400_000))
const localDay = (date: Date) =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`

/** Days in the viewer's time zone, as instants for the API. */
export function rangeOf({ from, to }: Pick<CallFilters, 'from' | 'to'>) {
  const at = (day: string, days: number) => {
    const date = new Date(`${day}T00:00`)
    if (Number.isNaN(date.getTime())) return undefined
    date.setDate(date.getDate() + days)
    return date.toISOString()
  }
  return { started_after: from ? at(from, 0) : undefined, started_before: to ? at(to, 1) : undefined }
}

export function CallFilterBar({ filters }: { filters: Filters<Name> }) {
  const { values, set } = filters
  const { from = '', to = '' } = values
  const agents = useAgents()
  const presets = [
    { value: '', label: 'Any time' },
    { value: dayBefore(0), label: 'Today' },
    { value: dayBefore(6), label: 'Last 7 days' },
    { value: dayBefore(29), label: 'Last 30 days' },
    { value: 'custom', label: 'Custom range' },
  ]
  const [wantsCustom, setWantsCustom] = useState(false)
  const isCustom = wantsCustom || to !== '' || presets.every(({ value }) => value !== from)
  const clear = () => {
    setWantsCustom(false)
    filters.clear()
  }
  return (
    <FilterBar
      label="Calls"
      filters={{ ...filters, clear }}
      fields={[
        { name: 'search', label: 'Search calls', placeholder: 'Phone number or call ID' },
        {
          name: 'agent',
          label: 'Agent',
          choices: agents.map(({ id, name }) => ({ value: id, label: name })),
          width: 170,
          isSearchable: true,
        },
        { name: 'status', label: 'Status', choices: statuses, width: 140 },
        { name: 'direction', label: 'Direction', choices: directions },
      ]}
    >
      <Select
        size="xs"
        aria-label="When"
        data={presets}
        allowDeselect={false}
        value={isCustom ? 'custom' : from}
        onChange={(chosen) => {
          setWantsCustom(chosen === 'custom')
          if (chosen !== 'custom') set({ from: chosen, to: null })
        }}
        w={140}
      />
      {isCustom &&
        (['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            size="xs"
            type="date"
            aria-label={name === 'from' ? 'From' : 'To'}
            value={values[name] ?? ''}
            min={name === 'to' && from ? from : undefined}
            max={name === 'from' && to ? to : undefined}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
    </FilterBar>
  )
}
