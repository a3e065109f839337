import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

const settlesAfterMs = 200

/** Tells what is looked for once the typing pauses. */
export function SearchField({
  label,
  value = '',
  onChange,
  ...rest
}: { label: string; value?: string; onChange(words: string): void } & Omit<TextInputProps, 'onChange' | 'label'>) {
  const [words, setWords] = useState(value)
  const told = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange

  // The address may change under the field: by the back button, or when all filters are cleared. What it says because
  // we told it is no news, and must not take away what was typed since.
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
      rightSection={words && <CloseButton size="sm" aria-label="Clear the search" onClick={() => setWords('')} />}
      value={words}
      onChange={(event) => setWords(event.currentTarget.value)}
      {...rest}
    />
  )
}
