import { Checkbox, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { fullAccessText, type Scope, scopeGroups } from './scopes.ts'

interface Props {
  value: Scope[]
  error?: string | undefined
  onChange(value: Scope[]): void
}

/** Full access or selected permissions. */
export function ScopePicker({ value, error, onChange }: Props) {
  const isFull = value.includes('full_access')
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Permissions"
        value={isFull ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? ['full_access'] : [])}
        error={error}
      >
        <Stack gap={6} mt={6}>
          <Radio value="some" label="Selected permissions" description="Limits the damage if the key leaks" />
          <Radio value="all" label="Full access" description={fullAccessText} />
        </Stack>
      </Radio.Group>
      {!isFull && <ScopeBoxes value={value} onChange={onChange} />}
    </Stack>
  )
}

/** A checkbox for each permission; those that `canGive` excludes are disabled. */
export function ScopeBoxes({
  value,
  canGive = () => true,
  onChange,
}: Omit<Props, 'error'> & { canGive?(scope: Scope): boolean }) {
  const toggle = (scope: Scope) =>
    onChange(value.includes(scope) ? value.filter((each) => each !== scope) : [...value, scope])
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="sm">
      {scopeGroups.map(({ label, scopes }) => (
        <Stack key={label} gap={6} component="fieldset" style={{ border: 0, padding: 0, margin: 0 }}>
          <Text component="legend" size="sm" fw={600} mb={4}>
            {label}
          </Text>
          {scopes.map(([scope, words]) => (
            <Checkbox
              key={scope}
              label={words}
              description={scope}
              checked={value.includes(scope)}
              disabled={!canGive(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
        </Stack>
      ))}
    </SimpleGrid>
  )
}
