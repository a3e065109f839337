import { Input, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { keyOf, type Slot } from './template-parts.ts'

/** What the reviewers see in place of the variables: they refuse what they cannot picture. */
export function ExamplesField({
  slots,
  examples,
  onChange,
}: {
  slots: Slot[]
  examples: Record<string, string>
  onChange(examples: Record<string, string>): void
}) {
  if (slots.length === 0) return null
  return (
    <Stack gap="xs">
      <div>
        <Input.Label component="div">Examples for the reviewers</Input.Label>
        <Input.Description>
          What might stand in place of each variable. No customer sees these; no real person’s data, please.
        </Input.Description>
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {slots.map((slot) => (
          <TextInput
            key={keyOf(slot)}
            label={`{{${slot.name}}} in the ${partName(slot.where)}`}
            placeholder={slot.name === '1' ? 'Ines' : 'For example …'}
            dir="auto"
            value={examples[keyOf(slot)] ?? ''}
            onChange={(event) => onChange({ ...examples, [keyOf(slot)]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

export function partName(where: string): string {
  const [part, index] = where.split('.')
  return part === 'button' ? `address of button ${Number(index) + 1}` : (part as string)
}
