import { Select } from '@mantine/core'
import { lifetimes, lifetimeText } from './lifetimes.ts'
import type { Category } from './template-kinds.ts'

const notes: Record<Category, string> = {
  AUTHENTICATION: 'WhatsApp drops a code that it cannot deliver in this time, for example to a phone that is off.',
  UTILITY: 'WhatsApp drops a message that it cannot deliver in this time, for example to a phone that is off.',
  MARKETING: 'Applies to channels that send by the Marketing Messages API.',
}

/** How long WhatsApp tries to deliver a message. */
export function LifetimeField({
  category,
  value,
  error,
  onChange,
}: {
  category: Category
  /** Seconds; empty for WhatsApp's default. */
  value: string
  error: string | undefined
  onChange(value: string): void
}) {
  const { usual, choices } = lifetimes[category]
  // A duplicated template may have another window than those on offer.
  const offered = value === '' ? choices : [...new Set([...choices, Number(value)])]
  return (
    <Select
      label="Delivery window"
      description={notes[category]}
      maw={420}
      data={[
        { value: '', label: `WhatsApp’s default (${usual})` },
        ...offered.map((seconds) => ({ value: String(seconds), label: lifetimeText(seconds) })),
      ]}
      allowDeselect={false}
      value={value}
      error={error}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}
