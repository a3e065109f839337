import { ActionIcon, Box, Button, Group, Input, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'

/** A custom field being edited. */
interface CustomField {
  key: number
  name: string
  value: string
  /** The original value, if it was not text: a number, a list, an object. */
  isJson: boolean
}

let lastKey = 0

export const toRows = (fields: Record<string, unknown>): CustomField[] =>
  Object.entries(fields).map(([name, value]) => ({
    key: ++lastKey,
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
    isJson: typeof value !== 'string',
  }))

/** Values that were JSON and still parse stay JSON; others become text. Rows without a name are dropped. */
export function fromRows(rows: CustomField[]): Record<string, unknown> {
  const read = ({ value, isJson }: CustomField): unknown => {
    if (!isJson) return value
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  }
  return Object.fromEntries(rows.filter(({ name }) => name.trim()).map((row) => [row.name.trim(), read(row)]))
}

export function CustomFieldsInput({
  value,
  onChange,
  error,
}: {
  value: CustomField[]
  onChange(rows: CustomField[]): void
  error?: string | undefined
}) {
  const change = (key: number, part: Partial<CustomField>) =>
    onChange(value.map((row) => (row.key === key ? { ...row, ...part } : row)))
  return (
    <Box component="fieldset" p={0} m={0} bd="none">
      <Input.Label component="legend">Custom fields</Input.Label>
      <Input.Description mb={6}>Available in templates and to agents</Input.Description>
      {value.map((row) => (
        <Group key={row.key} gap="xs" mb={6} wrap="nowrap">
          <TextInput
            flex={2}
            aria-label="Field name"
            placeholder="plan"
            value={row.name}
            onChange={(event) => change(row.key, { name: event.currentTarget.value })}
          />
          <TextInput
            flex={3}
            aria-label={`Value of ${row.name || 'the field'}`}
            value={row.value}
            onChange={(event) => change(row.key, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${row.name || 'this field'}`}
            onClick={() => onChange(value.filter(({ key }) => key !== row.key))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      {error && <Input.Error mb={6}>{error}</Input.Error>}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...value, { key: ++lastKey, name: '', value: '', isJson: false }])}
      >
        Add field
      </Button>
    </Box>
  )
}
