import { NumberInput, Select, SimpleGrid, Switch, TagsInput } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import type { AgentValues } from './agent-values.ts'

const sensitivities = [
  { value: 'low', label: 'Low: ignore sounds under 0.9 s' },
  { value: 'medium', label: 'Medium: ignore sounds under 0.6 s' },
  { value: 'high', label: 'High: ignore sounds under 0.4 s' },
]

/** How callers interrupt the agent. */
export function TurnTakingSection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection id="interruptions" title="Interruptions" text="When the agent stops talking and listens.">
      <Switch
        label="Callers can interrupt"
        checked={values.interruptible}
        onChange={(event) => set('interruptible', event.currentTarget.checked)}
      />
      <Switch
        label="Callers can interrupt the welcome message"
        disabled={!values.interruptible}
        checked={values.interruptible && values.welcome_interruptible}
        onChange={(event) => set('welcome_interruptible', event.currentTarget.checked)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label="Sensitivity"
          data={sensitivities}
          allowDeselect={false}
          disabled={!values.interruptible}
          value={values.sensitivity}
          error={form.errors.sensitivity}
          onChange={(chosen) => set('sensitivity', (chosen ?? 'medium') as AgentValues['sensitivity'])}
        />
        <NumberInput
          label="Words needed to interrupt"
          min={1}
          max={10}
          disabled={!values.interruptible}
          value={values.min_words}
          error={form.errors.min_words}
          onChange={(value) => set('min_words', Number(value))}
        />
      </SimpleGrid>
      <TagsInput
        label="Stop words"
        placeholder="Add a word"
        description="Always interrupt, in addition to “stop”, “wait” and similar words in the agent’s language"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        disabled={!values.interruptible}
        value={values.stop_words}
        error={form.errors.stop_words}
        onChange={(words) => set('stop_words', words)}
      />
    </AgentSection>
  )
}
