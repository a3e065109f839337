import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Button, Flex, Group, Input, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { capitalized } from '../../ui/capitalized.ts'
import { FormButtons } from '../../ui/form-buttons.tsx'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
type Weekday = (typeof weekdays)[number]
type Span = types.OpeningSpan

interface Props {
  /** Undefined for new ones. */
  record: types.Schedule | undefined
  close(): void
  onSaved(): void
}

export function ScheduleForm({ opened, ...props }: Props & { opened: boolean }) {
  const title = props.record ? `Edit ${props.record.name}` : 'New business hours'
  return (
    <Modal opened={opened} onClose={props.close} title={title} size="lg">
      <Form {...props} />
    </Modal>
  )
}

const office: Span[] = [{ from: '09:00', until: '17:00' }]
const officeWeek = Object.fromEntries(
  weekdays.map((day) => [day, day === 'saturday' || day === 'sunday' ? [] : office]),
) as unknown as types.WeeklyHours

function Form({ record, close, onSaved }: Props) {
  const form = useApiForm({
    initialValues: {
      name: record?.name ?? '',
      time_zone: record?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      weekly_hours: record?.weekly_hours ?? officeWeek,
      holidays: record?.holidays ?? [],
    },
    fieldOf: (loc) => loc.slice(1).join('.'),
    async submit(values) {
      await (record ? api.schedules.update(record.id, values) : api.schedules.create(values))
      onSaved()
    },
  })
  const { weekly_hours, holidays, time_zone } = form.values
  const setDay = (day: Weekday, spans: Span[]) => form.set('weekly_hours', { ...weekly_hours, [day]: spans })
  const setHoliday = (index: number, change: Partial<types.Holiday>) =>
    form.set(
      'holidays',
      holidays.map((each, i) => (i === index ? { ...each, ...change } : each)),
    )
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Office hours" required data-autofocus {...form.field('name')} />
        <Select
          label="Time zone"
          searchable
          allowDeselect={false}
          data={[...new Set([time_zone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()}
          value={time_zone}
          onChange={(zone) => zone && form.set('time_zone', zone)}
          error={form.errors.time_zone}
        />
        <Input.Wrapper
          label="Weekly hours"
          description="A span that ends earlier than it starts ends on the next day"
          labelElement="div"
        >
          <Stack gap="xs" mt={8}>
            {weekdays.map((day) => (
              <Day
                key={day}
                day={day}
                spans={weekly_hours[day]}
                onChange={(spans) => setDay(day, spans)}
                errorAt={(place) => form.errorAt(`weekly_hours.${day}${place}`)}
              />
            ))}
          </Stack>
        </Input.Wrapper>
        <Input.Wrapper label="Holidays" description="Closed on these days" labelElement="div">
          <Stack gap="xs" mt={8}>
            {holidays.map(({ date, name, hours }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a new holiday has no date yet
              <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
                <TextInput
                  type="date"
                  required
                  aria-label="Date"
                  value={date}
                  error={form.errorAt(`holidays.${index}.date`)}
                  onChange={(event) => setHoliday(index, { date: event.currentTarget.value })}
                />
                <TextInput
                  aria-label="Name of the holiday"
                  placeholder="Name"
                  flex={1}
                  value={name}
                  description={
                    hours.length > 0 ? hours.map(({ from, until }) => `${from}–${until}`).join(', ') : undefined
                  }
                  onChange={(event) => setHoliday(index, { name: event.currentTarget.value })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Remove ${name || date || 'holiday'}`}
                  onClick={() =>
                    form.set(
                      'holidays',
                      holidays.filter((_, i) => i !== index),
                    )
                  }
                >
                  <IconX size={16} />
                </ActionIcon>
              </Group>
            ))}
            <div>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconPlus size={14} />}
                onClick={() => form.set('holidays', [...holidays, { date: '', name: '', hours: [] }])}
              >
                Add holiday
              </Button>
            </div>
          </Stack>
        </Input.Wrapper>
        <FormButtons form={form} action={record ? 'Save' : 'Create business hours'} cancel={close} />
      </Stack>
    </form>
  )
}

function Day({
  day,
  spans,
  onChange,
  errorAt,
}: {
  day: Weekday
  spans: Span[]
  onChange(spans: Span[]): void
  errorAt(place: string): string | undefined
}) {
  const name = capitalized(day)
  const change = (index: number, part: Partial<Span>) =>
    onChange(spans.map((span, i) => (i === index ? { ...span, ...part } : span)))
  const next = spans.length === 0 ? office : [...spans, { from: spans.at(-1)?.until ?? '', until: '' }]
  return (
    <Flex direction={{ base: 'column', xs: 'row' }} gap={{ base: 4, xs: 'md' }}>
      <Group w={{ base: '100%', xs: 150 }} justify="space-between" align="flex-start" style={{ flex: 'none' }}>
        <Text size="sm" pt={6}>
          {name}
        </Text>
        <ActionIcon variant="default" size="lg" aria-label={`Add hours on ${name}`} onClick={() => onChange(next)}>
          <IconPlus size={16} />
        </ActionIcon>
      </Group>
      <Stack gap={4} flex={1}>
        {spans.length === 0 && (
          <Text size="sm" c="dimmed" pt={6}>
            Closed
          </Text>
        )}
        {spans.map((span, index) => {
          const fault = errorAt(`.${index}`) ?? errorAt(`.${index}.from`) ?? errorAt(`.${index}.until`)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity of their own
            <div key={index}>
              <Group gap={4} wrap="nowrap">
                <TextInput
                  type="time"
                  required
                  aria-label={`${name} from`}
                  error={Boolean(fault)}
                  value={span.from}
                  onChange={(event) => change(index, { from: event.currentTarget.value })}
                />
                <Text size="sm" aria-hidden>
                  –
                </Text>
                <TextInput
                  type="time"
                  required
                  aria-label={`${name} until`}
                  error={Boolean(fault)}
                  value={span.until === '24:00' ? '00:00' : span.until}
                  onChange={(event) => change(index, { until: lastMinute(event.currentTarget.value) })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Remove ${span.from} on ${name}`}
                  onClick={() => onChange(spans.filter((_, i) => i !== index))}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Group>
              {fault && <Input.Error>{fault}</Input.Error>}
            </div>
          )
        })}
      </Stack>
    </Flex>
  )
}

/** Time inputs know no 24:00. */
const lastMinute = (time: string) => (time === '00:00' ? '24:00' : time)
