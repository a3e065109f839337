import { TagsInput } from '@mantine/core'
import { useState } from 'react'

/** Tags with suggestions. The list closes after each choice so that it does not cover the fields below. */
export function TagsField({
  value,
  onChange,
  suggestions,
  description,
  error,
  autoFocus = false,
}: {
  value: string[]
  onChange(tags: string[]): void
  suggestions: string[]
  description?: string
  error?: string | undefined
  autoFocus?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <TagsInput
      label="Tags"
      description={description}
      data={suggestions}
      value={value}
      onChange={(tags) => {
        onChange(tags)
        setOpen(false)
      }}
      error={error}
      placeholder={value.length > 0 ? undefined : 'Type a tag and press Enter'}
      acceptValueOnBlur
      data-autofocus={autoFocus || undefined}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
    />
  )
}
