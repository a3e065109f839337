import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FilterBar, type FilterField } from '../../ui/filter-bar.tsx'
import type { Filters } from '../../ui/use-filters.ts'
import { periodChoices, type ReportFilter, type ReportPeriod, viewerZone } from './report-period.ts'

const zones = [...new Set([viewerZone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()

/** Period and time zone, and what else a report can be narrowed to. */
export function ReportFilters({
  filters,
  period,
  today,
  fields = [],
}: {
  filters: Filters<ReportFilter>
  period: ReportPeriod
  today: string
  fields?: FilterField<ReportFilter>[]
}) {
  const choices = periodChoices(today)
  const [wantsCustom, setWantsCustom] = useState(false)
  const isCustom = wantsCustom || period.until !== today || choices.every(({ value }) => value !== period.from)
  const clear = () => {
    setWantsCustom(false)
    filters.clear()
  }
  return (
    <FilterBar label="Report" filters={{ ...filters, clear }} fields={fields}>
      <Select
        size="xs"
        aria-label="Period"
        data={[...choices, { value: 'custom', label: 'Custom range' }]}
        allowDeselect={false}
        value={isCustom ? 'custom' : period.from}
        onChange={(chosen) => {
          setWantsCustom(chosen === 'custom')
          if (chosen !== 'custom') filters.set({ from: chosen, until: null })
        }}
        w={140}
      />
      {isCustom &&
        (['from', 'until'] as const).map((name) => (
          <TextInput
            key={name}
            size="xs"
            type="date"
            aria-label={name === 'from' ? 'First day' : 'Last day'}
            value={period[name]}
            min={name === 'until' ? period.from : undefined}
            max={name === 'from' ? period.until : today}
            onChange={(event) => filters.set({ [name]: event.currentTarget.value })}
          />
        ))}
      <Select
        size="xs"
        aria-label="Time zone"
        data={zones}
        searchable
        nothingFoundMessage="No results"
        allowDeselect={false}
        value={period.time_zone}
        onChange={(zone) => filters.set({ zone: zone === viewerZone ? null : zone })}
        w={190}
      />
    </FilterBar>
  )
}
