import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import type { AgentValues } from './agent-values.ts'

const voicemail = [
  { value: 'hangup', label: 'Hang up' },
  { value: 'leave_message', label: 'Leave the greeting as a message' },
  { value: 'continue', label: 'Talk to it all the same' },
]

export function CallLimitsSection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection id="calls" title="Calls: limits and hand-over">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <NumberInput
          label="Longest call"
          suffix=" s"
          step={60}
          value={values.max_duration_seconds}
          error={form.errors.max_duration_seconds}
          onChange={(value) => set('max_duration_seconds', Number(value))}
        />
        <NumberInput
          label="Hang up after silence of"
          suffix=" s"
          step={5}
          value={values.silence_timeout_seconds}
          error={form.errors.silence_timeout_seconds}
          onChange={(value) => set('silence_timeout_seconds', Number(value))}
        />
        <Select
          label="When a machine answers"
          data={voicemail}
          allowDeselect={false}
          value={values.voicemail}
          error={form.errors.voicemail}
          onChange={(chosen) => set('voicemail', (chosen ?? 'hangup') as AgentValues['voicemail'])}
        />
        <TextInput
          label="Transfer calls to"
          type="tel"
          placeholder="+12025550142"
          description="Without it a transfer leaves a task for a colleague instead"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.field('transfer_number')}
        />
      </SimpleGrid>
      <Switch
        label="The caller can interrupt it"
        checked={values.interruptible}
        onChange={(event) => set('interruptible', event.currentTarget.checked)}
      />
      <Switch
        label="Record calls"
        description="Both sides, kept as long as this installation keeps recordings. Tell callers where the law asks for it."
        checked={values.record}
        onChange={(event) => set('record', event.currentTarget.checked)}
      />
    </AgentSection>
  )
}
