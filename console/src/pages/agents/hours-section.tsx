import { Select, SimpleGrid } from '@mantine/core'
import { ScheduleSelect } from '../../records/schedules/schedule-select.tsx'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import type { AgentValues } from './agent-values.ts'

const replies = [
  { value: 'always', label: 'Always' },
  { value: 'open', label: 'Within business hours' },
  { value: 'closed', label: 'Outside business hours' },
]
const transfers = replies.slice(0, 2)

/** When the agent answers chats and transfers calls. */
export function HoursSection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection id="hours" title="Business hours" text="When the agent answers chats and transfers calls.">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <ScheduleSelect
          value={values.schedule_id}
          error={form.errors.schedule_id}
          onChange={(chosen) => {
            set('schedule_id', chosen)
            if (chosen !== null) return
            set('replies', 'always')
            set('transfers', 'always')
          }}
        />
        <Select
          label="Answers chats"
          data={replies}
          allowDeselect={false}
          disabled={values.schedule_id === null}
          value={values.replies}
          onChange={(chosen) => set('replies', (chosen ?? 'always') as AgentValues['replies'])}
        />
        <Select
          label="Transfers calls"
          data={transfers}
          allowDeselect={false}
          disabled={values.schedule_id === null}
          value={values.transfers}
          onChange={(chosen) => set('transfers', (chosen ?? 'always') as AgentValues['transfers'])}
        />
      </SimpleGrid>
    </AgentSection>
  )
}
