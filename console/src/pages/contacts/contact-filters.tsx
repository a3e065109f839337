import { handlerChoices } from '../../records/contacts/handling.tsx'
import { stageChoices } from '../../records/contacts/stages.tsx'
import { useTags } from '../../records/contacts/use-tags.ts'
import { FilterBar } from '../../ui/filter-bar.tsx'
import type { Filters } from '../../ui/use-filters.ts'

export const contactFilters = ['search', 'tag', 'stage', 'handled_by', 'opted_out', 'source_type', 'source_id'] as const
type ContactFilters = Filters<(typeof contactFilters)[number]>

export function ContactFilterBar({ filters }: { filters: ContactFilters }) {
  const { tag: chosen, source_id } = filters.values
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
          name: 'handled_by',
          label: 'Handled by',
          placeholder: 'Anyone',
          choices: handlerChoices,
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
        {
          name: 'source_type',
          label: 'Source',
          choices: [
            { value: 'ad', label: 'From an ad' },
            { value: 'post', label: 'From a post' },
          ],
        },
        // Chosen on the dashboard and on contacts.
        ...(source_id
          ? [
              {
                name: 'source_id' as const,
                label: 'Ad',
                choices: [{ value: source_id, label: `Ad ${source_id}` }],
                width: 210,
              },
            ]
          : []),
      ]}
    />
  )
}
