import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type Ref, useEffect, useRef, useState } from 'react'

const settlesAfterMs = 200

/** Reports the search once typing pauses. Escape clears it, then leaves the field. */
export function SearchField({
  label,
  value = '',
  onChange,
  ...rest
}: { label: string; value?: string; onChange(words: string): void; ref?: Ref<HTMLInputElement> } & Omit<
  TextInputProps,
  'onChange' | 'label'
>) {
  const [words, setWords] = useState(value)
  const told = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange

  // The value may change from outside: the back button, or "Clear filters". A value that this field reported itself
  // must not overwrite what was typed since.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setWords(value)
  }, [value])

  useEffect(() => {
    const settled = words.trim()
    if (settled === told.current) return
    const timer = setTimeout(() => {
      told.current = settled
      tell.current(settled)
    }, settlesAfterMs)
    return () => clearTimeout(timer)
  }, [words])

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      rightSection={words && <CloseButton size="sm" aria-label="Clear search" onClick={() => setWords('')} />}
      value={words}
      onChange={(event) => setWords(event.currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return
        if (words) setWords('')
        else currentTarget.blur()
      }}
      {...rest}
    />
  )
}
