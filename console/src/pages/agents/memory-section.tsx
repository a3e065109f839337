import { NumberInput, Switch } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'

/** What the agent knows of earlier conversations. */
export function MemorySection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection
      id="memory"
      title="Memory"
      text="Summaries of the contact’s earlier calls and chats, and their open tasks."
    >
      <Switch
        label="Remember earlier conversations"
        checked={values.memory_enabled}
        onChange={(event) => set('memory_enabled', event.currentTarget.checked)}
      />
      <NumberInput
        label="Earlier conversations"
        w={{ base: '100%', sm: 220 }}
        min={1}
        max={10}
        disabled={!values.memory_enabled}
        value={values.memory_conversations}
        error={form.errors.memory_conversations}
        onChange={(value) => set('memory_conversations', Number(value))}
      />
    </AgentSection>
  )
}
