import { Input, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { keyOf, type Slot } from './template-parts.ts'

/** Sample values for the variables. WhatsApp rejects templates without them. */
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
        <Input.Label component="div">Sample values for review</Input.Label>
        <Input.Description>
          WhatsApp’s reviewers see these instead of the variables. Do not use real customer data.
        </Input.Description>
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {slots.map((slot) => (
          <TextInput
            key={keyOf(slot)}
            label={`{{${slot.name}}} in the ${partName(slot.where)}`}
            placeholder={slot.name === '1' ? 'Ines' : ''}
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
  const [, card, part = '', index] = /^(?:card\.(\d+)\.)?(\w+)(?:\.(\d+))?$/.exec(where) ?? []
  const words = part === 'button' ? `URL of button ${Number(index) + 1}` : part.replaceAll('_', ' ')
  return card === undefined ? words : `${words} of card ${Number(card) + 1}`
}
