import { Group, Radio, Text } from '@mantine/core'
import { categories } from '../../records/templates/template-status.ts'
import type { Category } from './template-kinds.ts'

export function CategoryField({
  allowed,
  value,
  error,
  onChange,
}: {
  allowed: Category[]
  value: Category
  error: string | undefined
  onChange(category: Category): void
}) {
  const offered = categories.filter((category) => allowed.includes(category.value))
  // Most kinds belong to one category, which leaves nothing to choose.
  if (offered.length === 1 && offered[0]?.value === value) return null
  return (
    <Radio.Group
      label="Category"
      description="WhatsApp checks the category and bills by it"
      error={error}
      value={value}
      onChange={(category) => onChange(category as Category)}
    >
      <Group mt="xs" gap="lg">
        {offered.map(({ value: category, label }) => (
          <Radio key={category} value={category} label={label} />
        ))}
      </Group>
      <Text size="sm" c="dimmed" mt={6}>
        {offered.find((category) => category.value === value)?.meaning}
      </Text>
    </Radio.Group>
  )
}
