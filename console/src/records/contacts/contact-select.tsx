import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { callName } from './stages.tsx'

interface Brief {
  id: string
  name: string
  phone_number: string
  username?: string | null
}

const labelOf = (contact: Brief) =>
  contact.name && contact.phone_number ? `${contact.name} · ${contact.phone_number}` : callName(contact)

/** Picks a contact by any part of the name or number. */
export function ContactSelect({
  value,
  onChange,
  known,
  except,
  ...rest
}: {
  value: string | null
  onChange(id: string | null): void
  /** The chosen contact, if it is already loaded. */
  known?: Brief | undefined
  /** A contact that cannot be chosen. */
  except?: string
} & Omit<SelectProps, 'value' | 'onChange' | 'data'>) {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(known)
  const label = chosen && chosen.id === value ? labelOf(chosen) : ''
  const looked = words === label ? '' : words.trim()
  const [settled] = useDebouncedValue(looked, 200)
  const found = useRecord(['contacts', 'choices', settled], (signal) =>
    api.contacts.list({ search: settled || undefined, limit: 12 }, { signal }),
  )
  // A link names the contact by ID only. A form that is being sent may remove the contact.
  const missing = useRecord(['contacts', value], (signal) => api.contacts.get(value as string, { signal }), {
    enabled: value !== null && chosen?.id !== value && !rest.disabled,
  })
  const present = chosen?.id === value ? chosen : missing.data?.id === value ? missing.data : undefined
  const choices = new Map([...(present ? [present] : []), ...(found.data?.data ?? [])].map((each) => [each.id, each]))
  return (
    <Select
      {...rest}
      data={[...choices.values()]
        .filter(({ id }) => id !== except)
        .map((each) => ({ value: each.id, label: labelOf(each) }))}
      value={value}
      onChange={(id) => {
        setChosen(id ? choices.get(id) : undefined)
        onChange(id)
      }}
      searchable
      searchValue={words}
      onSearchChange={setWords}
      // The service has already searched, including fields that the label does not show.
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No matching contacts'}
    />
  )
}
