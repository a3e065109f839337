import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useCollections } from './use-collections.ts'

type Props = Pick<MultiSelectProps, 'description' | 'error'> & { value: string[]; onChange(ids: string[]): void }

/** Chooses collections. Hidden while there are none. */
export function CollectionSelect({ value, ...props }: Props) {
  const collections = useCollections()
  const named = (collections ?? []).map(({ id, name }) => ({ value: id, label: name }))
  // A collection may have been deleted since it was chosen: it can be seen and taken out.
  const deleted = collections ? value.filter((id) => !collections.some((each) => each.id === id)) : []
  if (named.length === 0 && deleted.length === 0) return null
  return (
    <MultiSelect
      label="Collections"
      placeholder={value.length === 0 ? 'Search collections' : undefined}
      data={[...named, ...deleted.map((id) => ({ value: id, label: 'Deleted collection' }))]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the selected collections' }}
      hidePickedOptions
      limit={100}
      nothingFoundMessage="No collection has this name"
      value={value}
      {...props}
    />
  )
}
