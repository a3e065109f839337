import { stageChoices } from '../../records/contacts/stages.tsx'
import { useTags } from '../../records/contacts/use-tags.ts'
import { FilterBar } from '../../ui/filter-bar.tsx'
import type { Filters } from '../../ui/use-filters.ts'

export const contactFilters = ['search', 'tag', 'stage', 'ai_handling', 'opted_out'] as const
type ContactFilters = Filters<(typeof contactFilters)[number]>

export function ContactFilterBar({ filters }: { filters: ContactFilters }) {
  const { tag: chosen } = filters.values
  const tags = useTags()
  const tagChoices = tags.map(({ tag, contacts }) => ({ value: tag, label: `${tag} (${contacts.toLocaleString()})` }))
  // A link may name a tag that no contact has any more; the filter still shows it.
  if (chosen && !tags.some(({ tag }) => tag === chosen)) tagChoices.unshift({ value: chosen, label: chosen })
  return (
    <FilterBar
      label="Contacts"
      filters={filters}
      fields={[
        { name: 'search', label: 'Search contacts', placeholder: 'Name or phone number' },
        { name: 'tag', label: 'Tag', choices: tagChoices, isSearchable: true },
        { name: 'stage', label: 'Stage', choices: stageChoices },
        {
          name: 'ai_handling',
          label: 'Handled by',
          placeholder: 'AI or person',
          choices: [
            { value: 'true', label: 'AI' },
            { value: 'false', label: 'Person' },
          ],
        },
        {
          name: 'opted_out',
          label: 'Marketing',
          placeholder: 'Any consent',
          choices: [
            { value: 'true', label: 'Opted out' },
            { value: 'false', label: 'Not opted out' },
          ],
        },
      ]}
    />
  )
}
