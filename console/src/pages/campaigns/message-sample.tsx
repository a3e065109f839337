import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Group, Select, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { keyOf, slotsOf, valueAt } from '../../records/templates/template-parts.ts'
import { isPersonal, type ValueSource, valueFor } from './campaign-values.ts'

/** Previews the message for sample contacts of the audience. */
export function MessageSample({
  template,
  sources,
  sample,
  sender,
  isFinal,
}: {
  template: types.Template
  sources: Record<string, ValueSource>
  sample: types.Contact[]
  sender: string | undefined
  /** All variables have been chosen, so a missing value is final. */
  isFinal: boolean
}) {
  const [id, setId] = useState<string>()
  const at = Math.max(
    0,
    sample.findIndex((contact) => contact.id === id),
  )
  const contact = sample[at]
  // A file or code that is not chosen yet is no reason to skip a contact.
  const lacks =
    isFinal &&
    contact &&
    slotsOf(template.components).some(
      (slot) => isPersonal(slot) && valueFor(sources[keyOf(slot)], contact) === undefined,
    )
  const step = (by: number) => setId(sample[(at + by + sample.length) % sample.length]?.id)
  return (
    <Stack gap="xs">
      {contact && (
        <Group gap={4} wrap="nowrap" maw={340}>
          <ActionIcon variant="subtle" color="gray" onClick={() => step(-1)} aria-label="Previous contact">
            <IconChevronLeft size={16} />
          </ActionIcon>
          <Select
            aria-label="Preview for"
            size="xs"
            flex={1}
            searchable
            allowDeselect={false}
            data={sample.map(({ id, name, phone_number }) => ({ value: id, label: name || phone_number || 'No name' }))}
            value={contact.id}
            onChange={(value) => value && setId(value)}
          />
          <ActionIcon variant="subtle" color="gray" onClick={() => step(1)} aria-label="Next contact">
            <IconChevronRight size={16} />
          </ActionIcon>
        </Group>
      )}
      <PhonePreview
        components={template.components}
        valueAt={(place) => (contact ? valueFor(valueAt(sources, place), contact) : undefined)}
        sender={sender}
      />
      {lacks && (
        <Text size="sm" c="dimmed" maw={340}>
          This contact is missing a value and would be skipped.
        </Text>
      )}
    </Stack>
  )
}
