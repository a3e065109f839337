import { SegmentedControl, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'

const zones = Intl.supportedValuesOf('timeZone')

export function IdentitySection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection id="identity" title="Identity and greeting">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput label="Name" description="Visible to your team only" required {...form.field('name')} />
        <Select
          label="Time zone"
          description="Used for dates and times"
          data={zones.includes(values.timezone) || !values.timezone ? zones : [values.timezone, ...zones]}
          searchable
          clearable
          limit={60}
          placeholder="UTC"
          value={values.timezone || null}
          error={form.errors.timezone}
          onChange={(zone) => set('timezone', zone ?? '')}
        />
      </SimpleGrid>
      <Textarea
        label="Greeting"
        description="Spoken when a call starts. {{contact.name}} and call variables are filled in. Leave empty to wait for the caller."
        placeholder="Hello, this is the front desk. How can I help you?"
        autosize
        minRows={2}
        maxRows={6}
        {...form.field('welcome_message')}
      />
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={600} id="agent-type-label">
          Answers with
        </Text>
        <SegmentedControl
          aria-labelledby="agent-type-label"
          value={values.agent_type}
          onChange={(type) => set('agent_type', type === 'static' ? 'static' : 'prompt')}
          data={[
            { value: 'prompt', label: 'Language model' },
            { value: 'static', label: 'Fixed rules' },
          ]}
        />
      </Stack>
      <Switch
        label="Active"
        description="Inactive agents do not answer calls or messages. You can still try them here."
        checked={values.is_active}
        onChange={(event) => set('is_active', event.currentTarget.checked)}
      />
    </AgentSection>
  )
}
