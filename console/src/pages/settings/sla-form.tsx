import type { api as types } from '@frontdesk/sdk'
import { Modal, NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { ScheduleSelect } from '../../records/schedules/schedule-select.tsx'
import { TeamSelect } from '../../records/teams/team-select.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'

export const priorities = [
  { value: 'low', label: 'Low' },
  { value: 'normal', label: 'Normal' },
  { value: 'high', label: 'High' },
  { value: 'urgent', label: 'Urgent' },
]

interface Props {
  /** Undefined for a new policy. */
  record: types.SlaPolicy | undefined
  close(): void
  onSaved(): void
}

export function SlaForm({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title={props.record ? `Edit ${props.record.name}` : 'New SLA policy'}>
      <Form {...props} />
    </Modal>
  )
}

type Minutes = number | ''
const minutesOf = (value: Minutes) => (value === '' ? null : value)

const targets = [
  { name: 'first_reply_minutes', label: 'First reply' },
  { name: 'next_reply_minutes', label: 'Next reply' },
  { name: 'resolution_minutes', label: 'Resolution' },
] as const

function Form({ record, close, onSaved }: Props) {
  const form = useApiForm({
    initialValues: {
      name: record?.name ?? '',
      team_id: record?.team_id ?? null,
      priority: record?.priority ?? null,
      schedule_id: record?.schedule_id ?? null,
      first_reply_minutes: (record ? (record.first_reply_minutes ?? '') : 30) as Minutes,
      next_reply_minutes: (record ? (record.next_reply_minutes ?? '') : 60) as Minutes,
      resolution_minutes: (record?.resolution_minutes ?? '') as Minutes,
      warning_minutes: (record?.warning_minutes ?? 15) as Minutes,
      counts_ai_replies: record?.counts_ai_replies ?? false,
    },
    async submit(given) {
      const values = {
        ...given,
        first_reply_minutes: minutesOf(given.first_reply_minutes),
        next_reply_minutes: minutesOf(given.next_reply_minutes),
        resolution_minutes: minutesOf(given.resolution_minutes),
        warning_minutes: minutesOf(given.warning_minutes) ?? 0,
      }
      await (record ? api.slaPolicies.update(record.id, values) : api.slaPolicies.create(values))
      onSaved()
    },
  })
  const minutes = (name: (typeof targets)[number]['name'] | 'warning_minutes') => ({
    suffix: ' min',
    allowDecimal: false,
    value: form.values[name],
    error: form.errors[name],
    onChange: (value: string | number) => form.set(name, typeof value === 'number' ? value : ''),
  })
  return (
    <DialogForm form={form} action={record ? 'Save' : 'Create SLA policy'} cancel={close}>
      <TextInput label="Name" placeholder="Standard" required data-autofocus {...form.field('name')} />
      <TeamSelect
        placeholder="Any team"
        value={form.values.team_id}
        error={form.errors.team_id}
        onChange={(value) => form.set('team_id', value)}
      />
      <Select
        label="Priority"
        placeholder="Any priority"
        clearable
        data={priorities}
        value={form.values.priority}
        onChange={(value) => form.set('priority', value as types.SlaPolicy['priority'])}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {targets.map(({ name, label }) => (
          <NumberInput key={name} label={label} placeholder="None" min={1} max={100_000} {...minutes(name)} />
        ))}
      </SimpleGrid>
      <NumberInput
        label="Warning"
        description="How long before the due time to send a warning to your webhooks"
        min={0}
        max={10_000}
        {...minutes('warning_minutes')}
      />
      <ScheduleSelect
        description="Only time within these hours counts"
        placeholder="Around the clock"
        value={form.values.schedule_id}
        error={form.errors.schedule_id}
        onChange={(value) => form.set('schedule_id', value)}
      />
      <Switch
        label="AI answers count as replies"
        description="When off, only a reply from a person meets the target"
        checked={form.values.counts_ai_replies}
        onChange={(event) => form.set('counts_ai_replies', event.currentTarget.checked)}
      />
    </DialogForm>
  )
}
