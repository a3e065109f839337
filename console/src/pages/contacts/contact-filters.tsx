import { Button, Group, Select } from '@mantine/core'
import { stages } from '../../records/contacts/stages.tsx'
import { useTags } from '../../records/contacts/use-tags.ts'
import { SearchField } from '../../ui/search-field.tsx'
import type { useFilters } from '../../ui/use-filters.ts'
import classes from './contact-table.module.css'

export const contactFilters = ['search', 'tag', 'stage', 'ai_handling', 'opted_out'] as const
export type ContactFilters = ReturnType<typeof useFilters<(typeof contactFilters)[number]>>

export function ContactFilterBar({ filters }: { filters: ContactFilters }) {
  const { values, set } = filters
  const tags = useTags()
  const tagChoices = tags.map(({ tag, contacts }) => ({ value: tag, label: `${tag} (${contacts.toLocaleString()})` }))
  // A tag from a link that nobody has any more is still what the list is narrowed to.
  if (values.tag && !tags.some(({ tag }) => tag === values.tag))
    tagChoices.unshift({ value: values.tag, label: values.tag })
  return (
    <Group gap="xs" mb="sm" role="search" aria-label="Contacts">
      <SearchField
        size="xs"
        value={values.search}
        onChange={(search) => set({ search })}
        placeholder="Name or number"
        label="Search contacts"
        style={{ flex: '1 1 220px', maxWidth: 360 }}
      />
      <Select
        size="xs"
        aria-label="Tag"
        placeholder="Any tag"
        data={tagChoices}
        value={values.tag ?? null}
        onChange={(tag) => set({ tag: tag ?? undefined })}
        searchable
        clearable
        nothingFoundMessage="No such tag"
        className={classes.filter}
      />
      <Select
        size="xs"
        aria-label="Stage"
        placeholder="Any stage"
        data={stages.map(({ value, label }) => ({ value, label }))}
        value={values.stage ?? null}
        onChange={(stage) => set({ stage: stage ?? undefined })}
        clearable
        className={classes.filter}
      />
      <Select
        size="xs"
        aria-label="Answered by"
        placeholder="Any handling"
        data={[
          { value: 'true', label: 'AI answers' },
          { value: 'false', label: 'Person answers' },
        ]}
        value={values.ai_handling ?? null}
        onChange={(value) => set({ ai_handling: value ?? undefined })}
        clearable
        className={classes.filter}
      />
      <Select
        size="xs"
        aria-label="Marketing"
        placeholder="Any consent"
        data={[
          { value: 'true', label: 'Opted out' },
          { value: 'false', label: 'Not opted out' },
        ]}
        value={values.opted_out ?? null}
        onChange={(value) => set({ opted_out: value ?? undefined })}
        clearable
        className={classes.filter}
      />
      {filters.isFiltered && (
        <Button variant="subtle" color="gray" size="xs" onClick={() => filters.clear()}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}
