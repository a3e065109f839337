import type { api as types } from '@frontdesk/sdk'
import { SimpleGrid, TextInput } from '@mantine/core'

/** The `{{…}}` variables that a call has to provide. Those of the contact are filled automatically. */
export function variablesOf({
  agent_config: { welcome_message, system_prompt, call_settings },
}: types.Agent): string[] {
  const fallback = typeof call_settings.fallback === 'string' ? call_settings.fallback : call_settings.fallback?.say
  const texts = [welcome_message, system_prompt, fallback, ...call_settings.rules.map(({ say }) => say)]
  const names = texts.flatMap((text) =>
    [...(text ?? '').matchAll(/\{\{\s*([\w.-]+)\s*\}\}/g)].map(([, name]) => name as string),
  )
  return [...new Set(names)].filter((name) => !name.startsWith('contact.'))
}

export function VariableFields({
  names,
  values,
  onChange,
}: {
  names: string[]
  values: Record<string, string>
  onChange(values: Record<string, string>): void
}) {
  if (names.length === 0) return null
  return (
    <SimpleGrid cols={names.length > 1 ? 2 : 1} spacing="xs" w="100%">
      {names.map((name) => (
        <TextInput
          key={name}
          label={name}
          size="xs"
          value={values[name] ?? ''}
          onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  )
}
