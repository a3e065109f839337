import { SegmentedControl, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'

const zones = Intl.supportedValuesOf('timeZone')

export function IdentitySection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection id="identity" title="Identity and greeting">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput label="Name" description="For you and your colleagues" required {...form.field('name')} />
        <Select
          label="Time zone"
          description="What it calls “today” and “now”"
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
        description="Said first when a call begins. {{contact.name}} and the variables of a call are filled in. Empty: it waits for the caller to speak."
        placeholder="Hello, this is the front desk. How can I help you?"
        autosize
        minRows={2}
        maxRows={6}
        {...form.field('welcome_message')}
      />
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={600} id="agent-type-label">
          How it answers
        </Text>
        <SegmentedControl
          aria-labelledby="agent-type-label"
          value={values.agent_type}
          onChange={(type) => set('agent_type', type === 'static' ? 'static' : 'prompt')}
          data={[
            { value: 'prompt', label: 'With a language model' },
            { value: 'static', label: 'By fixed rules' },
          ]}
        />
      </Stack>
      <Switch
        label="Active"
        description="An inactive agent takes no calls and answers nobody in the inbox. You can still write to it here."
        checked={values.is_active}
        onChange={(event) => set('is_active', event.currentTarget.checked)}
      />
    </AgentSection>
  )
}
