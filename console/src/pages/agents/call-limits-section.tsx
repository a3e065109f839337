import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import type { AgentValues } from './agent-values.ts'

const voicemail = [
  { value: 'hangup', label: 'Hang up' },
  { value: 'leave_message', label: 'Leave a message' },
  { value: 'continue', label: 'Keep talking' },
]

export function CallLimitsSection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection id="calls" title="Call limits and handoff">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <NumberInput
          label="Maximum call length"
          suffix=" s"
          step={60}
          value={values.max_duration_seconds}
          error={form.errors.max_duration_seconds}
          onChange={(value) => set('max_duration_seconds', Number(value))}
        />
        <NumberInput
          label="Hang up after silence"
          suffix=" s"
          step={5}
          value={values.silence_timeout_seconds}
          error={form.errors.silence_timeout_seconds}
          onChange={(value) => set('silence_timeout_seconds', Number(value))}
        />
        <NumberInput
          label="Reminders during silence"
          min={0}
          max={5}
          value={values.silence_reminders}
          error={form.errors.silence_reminders}
          onChange={(value) => set('silence_reminders', Number(value))}
        />
        <NumberInput
          label="Remind after"
          suffix=" s"
          disabled={values.silence_reminders === 0}
          value={values.silence_reminder_seconds}
          error={form.errors.silence_reminder_seconds}
          onChange={(value) => set('silence_reminder_seconds', Number(value))}
        />
        <Select
          label="On voicemail"
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
          description={
            values.transfer_targets.length > 0
              ? 'Without a number, callers get the first open target. Without either, a task is created for a member.'
              : 'Without a number, a transfer creates a task for a member instead'
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.field('transfer_number')}
        />
      </SimpleGrid>
      <Switch
        label="Record calls"
        description="Records both sides. Tell callers where the law requires it."
        checked={values.record}
        onChange={(event) => set('record', event.currentTarget.checked)}
      />
    </AgentSection>
  )
}
