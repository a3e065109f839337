import type { api as types } from '@frontdesk/sdk'
import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

export const useDocuments = () => useRecord(['documents'], (signal) => api.knowledge.listDocuments({ signal }))

const states = { ready: '', processing: ' (Processing)', failed: ' (Failed)' }

type Props = Pick<MultiSelectProps, 'label' | 'description' | 'error'> & {
  value: string[]
  onChange(ids: string[]): void
  /** Documents that cannot be chosen. */
  isHidden?(document: types.Document): boolean
}

/** Chooses documents: files, web pages and FAQs. */
export function DocumentSelect({ value, isHidden = () => false, ...props }: Props) {
  const { data } = useDocuments()
  const documents = data?.documents ?? []
  const options = documents
    .filter((document) => !isHidden(document))
    .map(({ id, file_name, status }) => ({ value: id, label: file_name + states[status] }))
  // A document may have been deleted since it was chosen: it can be seen and taken out.
  const deleted = data ? value.filter((id) => !documents.some((each) => each.id === id)) : []
  return (
    <MultiSelect
      placeholder={value.length === 0 ? 'Search documents' : undefined}
      data={[...options, ...deleted.map((id) => ({ value: id, label: 'Deleted document' }))]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the selection' }}
      hidePickedOptions
      limit={100}
      nothingFoundMessage="No document has this name"
      disabled={!data}
      value={value}
      {...props}
    />
  )
}
