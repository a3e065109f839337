import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

const settlesAfterMs = 200

/** Tells what is looked for once the typing pauses. */
export function SearchBox({
  value,
  onChange,
  placeholder,
  label = 'Search',
}: {
  value: string | undefined
  onChange(value: string | undefined): void
  placeholder: string
  label?: string
}) {
  const [words, setWords] = useState(value ?? '')
  const told = useRef(value ?? '')
  const tell = useRef(onChange)
  tell.current = onChange

  // The address may change under the box: by the back button, or when all filters are cleared.
  useEffect(() => {
    if ((value ?? '') === told.current) return
    told.current = value ?? ''
    setWords(value ?? '')
  }, [value])

  useEffect(() => {
    const settled = words.trim()
    if (settled === told.current) return
    const timer = setTimeout(() => {
      told.current = settled
      tell.current(settled || undefined)
    }, settlesAfterMs)
    return () => clearTimeout(timer)
  }, [words])

  return (
    <TextInput
      type="search"
      size="xs"
      value={words}
      onChange={(event) => setWords(event.currentTarget.value)}
      placeholder={placeholder}
      aria-label={label}
      leftSection={<IconSearch size={15} />}
      rightSection={words && <CloseButton size="sm" aria-label="Clear search" onClick={() => setWords('')} />}
      style={{ flex: '1 1 220px', maxWidth: 360 }}
    />
  )
}
