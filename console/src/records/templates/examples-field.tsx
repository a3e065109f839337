import { Input, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { labelOf } from './slot-field.tsx'
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
  // Files and codes have fields of their own; WhatsApp asks for no other samples.
  const shown = slots.filter(({ kind }) => kind === 'text' || kind === 'url')
  if (shown.length === 0) return null
  return (
    <Stack gap="xs">
      <div>
        <Input.Label component="div">Sample values for review</Input.Label>
        <Input.Description>
          WhatsApp’s reviewers see these instead of the variables. Do not use real customer data.
        </Input.Description>
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {shown.map((slot) => (
          <TextInput
            key={keyOf(slot)}
            label={labelOf(slot)}
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
