import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { ScheduleSelect } from '../../records/schedules/schedule-select.tsx'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { newTarget } from './agent-values.ts'
import { FoldableRows } from './foldable-rows.tsx'

/** Numbers that the agent chooses from when it transfers a call. */
export function TransferTargetsSection({ form }: { form: AgentForm }) {
  return (
    <AgentSection
      id="transfer-targets"
      title="Transfer targets"
      text="Teams and people the agent can transfer calls to, by name."
    >
      <FoldableRows
        form={form}
        name="transfer_targets"
        noun="target"
        create={newTarget}
        detailOf={({ number }) => number}
      >
        {(target, errorAt, change) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label="Name"
              placeholder="billing"
              value={target.name}
              error={errorAt('name')}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            <TextInput
              label="Phone number"
              type="tel"
              placeholder="+12025550143"
              value={target.number}
              error={errorAt('number')}
              onChange={(event) => change({ number: event.currentTarget.value })}
            />
            <Textarea
              label="When to transfer there"
              placeholder="Questions about invoices and payments"
              autosize
              minRows={1}
              value={target.description}
              error={errorAt('description')}
              onChange={(event) => change({ description: event.currentTarget.value })}
            />
            <ScheduleSelect
              value={target.schedule_id}
              error={errorAt('schedule_id')}
              onChange={(chosen) => change({ schedule_id: chosen })}
            />
          </SimpleGrid>
        )}
      </FoldableRows>
    </AgentSection>
  )
}
