import { Group, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { AddButton } from '../../ui/add-button.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { newKey } from './row-keys.ts'
import type { HeaderRow } from './tool-values.ts'

const isMasked = (value: string) => value.startsWith('••••')

/** Request headers. Stored values arrive masked and are kept unless edited. */
export function HeadersField({
  rows,
  onChange,
  errorAt,
}: {
  rows: HeaderRow[]
  onChange(rows: HeaderRow[]): void
  errorAt(name: string): string | undefined
}) {
  const change = (key: string, changes: Partial<HeaderRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)))
  return (
    <Stack gap={6}>
      <div>
        <Text size="sm" fw={600}>
          Headers
        </Text>
        <Text size="xs" c="dimmed">
          For keys and tokens. Values are stored encrypted and not shown again.
        </Text>
      </div>
      {rows.map(({ key, name, value }, index) => (
        <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            aria-label={`Name of header ${index + 1}`}
            placeholder="authorization"
            flex={1}
            miw={0}
            value={name}
            error={errorAt(name.trim().toLowerCase())}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Value of ${name || `header ${index + 1}`}`}
            placeholder="Bearer …"
            flex={2}
            miw={0}
            autoComplete="off"
            value={value}
            // A masked value cannot be edited; focusing the field clears it.
            onFocus={(event) => isMasked(value) && event.currentTarget.select()}
            onChange={(event) => change(key, { value: event.currentTarget.value })}
          />
          <RowButton
            isBesideInput
            label={`Remove ${name || `header ${index + 1}`}`}
            icon={IconX}
            onClick={() => onChange(rows.filter((row) => row.key !== key))}
          />
        </Group>
      ))}
      <AddButton isSmall onClick={() => onChange([...rows, { key: newKey(), name: '', value: '' }])}>
        Add header
      </AddButton>
    </Stack>
  )
}
