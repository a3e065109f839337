import { Button, Group, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './list.module.css'
import { SearchField } from './search-field.tsx'
import type { Filters } from './use-filters.ts'

export interface FilterField<Name extends string> {
  name: Name
  label: string
  /** What the field says while nothing is chosen. */
  placeholder?: string
  /** Without choices the field is a search. */
  choices?: { value: string; label: string }[]
  width?: number
  isSearchable?: boolean
}

/** The filters of a list, kept in the address. */
export function FilterBar<Name extends string>({
  label,
  filters,
  fields = [],
  children,
}: {
  /** What is filtered, for screen readers. */
  label: string
  filters: Filters<Name>
  fields?: FilterField<Name>[]
  /** Filters of other kinds, after the fields. */
  children?: ReactNode
}) {
  const put = (name: Name, value: string | null) => filters.set({ [name]: value } as Record<Name, string | null>)
  return (
    <Group gap="xs" mb="sm" className={classes.filters} role="search" aria-label={label}>
      {fields.map(({ name, label, placeholder, choices, width = 150, isSearchable = false }) =>
        choices ? (
          <Select
            key={name}
            size="xs"
            aria-label={label}
            placeholder={placeholder ?? `Any ${label.toLowerCase()}`}
            clearable
            searchable={isSearchable}
            nothingFoundMessage="No results"
            w={width}
            data={choices}
            value={filters.values[name] ?? null}
            onChange={(value) => put(name, value)}
          />
        ) : (
          <SearchField
            key={name}
            size="xs"
            label={label}
            placeholder={placeholder ?? label}
            value={filters.values[name] ?? ''}
            onChange={(words) => put(name, words)}
            className={classes.search}
          />
        ),
      )}
      {children}
      {filters.isFiltered && (
        <Button variant="subtle" color="gray" size="xs" onClick={filters.clear}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}
