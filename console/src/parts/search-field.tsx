import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

/** Asks while one types, but not for every letter. */
export function SearchField({
  label,
  value = '',
  onChange,
  ...rest
}: { label: string; value?: string; onChange(words: string): void } & Omit<TextInputProps, 'onChange' | 'label'>) {
  const [words, setWords] = useState(value)
  const tell = useDebouncedCallback(onChange, 250)
  // The filters may be cleared from elsewhere.
  useEffect(() => setWords(value), [value])
  const change = (next: string) => {
    setWords(next)
    tell(next)
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      rightSection={words && <CloseButton size="sm" aria-label="Clear the search" onClick={() => change('')} />}
      value={words}
      onChange={(event) => change(event.currentTarget.value)}
      {...rest}
    />
  )
}
