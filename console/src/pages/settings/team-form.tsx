import type { api as types } from '@frontdesk/sdk'
import { Modal, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { memberChoices, useMembers } from '../../records/members/use-members.ts'
import { ScheduleSelect } from '../../records/schedules/schedule-select.tsx'
import { TeamSelect } from '../../records/teams/team-select.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'

export const methods = [
  { value: 'manual', label: 'Members take conversations' },
  { value: 'round_robin', label: 'Each member in turn' },
  { value: 'least_busy', label: 'The least busy member' },
]

interface Props {
  /** Undefined for a new team. */
  record: types.Team | undefined
  close(): void
  onSaved(): void
}

export function TeamForm({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title={props.record ? `Edit ${props.record.name}` : 'New team'}>
      <Form {...props} />
    </Modal>
  )
}

function Form({ record, close, onSaved }: Props) {
  const { members } = useMembers()
  const form = useApiForm({
    initialValues: {
      name: record?.name ?? '',
      member_ids: record?.member_ids ?? [],
      assignment: record?.assignment ?? 'round_robin',
      schedule_id: record?.schedule_id ?? null,
      after_hours_team_id: record?.after_hours_team_id ?? null,
      reassign_after_minutes: record?.reassign_after_minutes ?? ('' as number | ''),
    },
    async submit({ reassign_after_minutes: minutes, ...others }) {
      const values = { ...others, reassign_after_minutes: minutes === '' ? null : minutes }
      await (record ? api.teams.update(record.id, values) : api.teams.create(values))
      onSaved()
    },
  })
  const { assignment, schedule_id } = form.values
  return (
    <DialogForm form={form} action={record ? 'Save' : 'Create team'} cancel={close}>
      <TextInput label="Name" placeholder="Support" required data-autofocus {...form.field('name')} />
      <MultiSelect
        label="Members"
        searchable
        data={memberChoices(members)}
        value={form.values.member_ids}
        error={form.errors.member_ids}
        onChange={(ids) => form.set('member_ids', ids)}
      />
      <Select
        label="Assignment"
        description="Who gets a conversation when the customer needs a person"
        allowDeselect={false}
        data={methods}
        value={assignment}
        onChange={(value) => value && form.set('assignment', value as types.Team['assignment'])}
      />
      {assignment !== 'manual' && (
        <NumberInput
          label="Reassign after"
          description="Minutes within business hours without a reply before another member gets the conversation"
          placeholder="Never"
          suffix=" minutes"
          min={1}
          max={10_080}
          allowDecimal={false}
          value={form.values.reassign_after_minutes}
          error={form.errors.reassign_after_minutes}
          onChange={(value) => form.set('reassign_after_minutes', typeof value === 'number' ? value : '')}
        />
      )}
      <ScheduleSelect
        description="Conversations are not assigned automatically outside these hours"
        value={schedule_id}
        onChange={(value) => {
          form.set('schedule_id', value)
          if (value === null) form.set('after_hours_team_id', null)
        }}
      />
      {schedule_id !== null && (
        <TeamSelect
          label="Outside business hours"
          description="The team that takes over conversations"
          placeholder="Wait until the team opens"
          except={record?.id}
          value={form.values.after_hours_team_id}
          error={form.errors.after_hours_team_id}
          onChange={(value) => form.set('after_hours_team_id', value)}
        />
      )}
    </DialogForm>
  )
}
