import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Button, Flex, Group, Input, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { capitalized } from '../../ui/capitalized.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { AddSpan, OpeningSpans, office } from './opening-spans.tsx'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
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
  const setHoliday = (index: number, change: Partial<types.Holiday>) =>
    form.set(
      'holidays',
      holidays.map((each, i) => (i === index ? { ...each, ...change } : each)),
    )
  return (
    <DialogForm form={form} action={record ? 'Save' : 'Create business hours'} cancel={close}>
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
          {weekdays.map((day) => {
            const hours = {
              day: capitalized(day),
              spans: weekly_hours[day],
              onChange: (spans: Span[]) => form.set('weekly_hours', { ...weekly_hours, [day]: spans }),
            }
            return (
              <Flex key={day} direction={{ base: 'column', xs: 'row' }} gap={{ base: 4, xs: 'md' }}>
                <Group
                  w={{ base: '100%', xs: 150 }}
                  justify="space-between"
                  align="flex-start"
                  style={{ flex: 'none' }}
                >
                  <Text size="sm" pt={6}>
                    {hours.day}
                  </Text>
                  <AddSpan {...hours} />
                </Group>
                <OpeningSpans {...hours} errorAt={(place) => form.errorAt(`weekly_hours.${day}${place}`)} />
              </Flex>
            )
          })}
        </Stack>
      </Input.Wrapper>
      <Input.Wrapper label="Holidays" description="Closed on these days, unless you add hours" labelElement="div">
        <Stack gap="xs" mt={8}>
          {holidays.map(({ date, name, hours }, index) => {
            const day = name || date || 'this holiday'
            const own = { day, spans: hours, onChange: (spans: Span[]) => setHoliday(index, { hours: spans }) }
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a new holiday has no date yet
              <Stack key={index} gap={4}>
                <Flex gap="xs" wrap={{ base: 'wrap', xs: 'nowrap' }}>
                  <TextInput
                    aria-label="Name of the holiday"
                    placeholder="Name"
                    flex={{ base: '1 0 100%', xs: '1' }}
                    value={name}
                    onChange={(event) => setHoliday(index, { name: event.currentTarget.value })}
                  />
                  <TextInput
                    type="date"
                    required
                    aria-label="Date"
                    flex={{ base: '1', xs: 'none' }}
                    value={date}
                    error={form.errorAt(`holidays.${index}.date`)}
                    onChange={(event) => setHoliday(index, { date: event.currentTarget.value })}
                  />
                  <AddSpan {...own} />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="lg"
                    aria-label={`Remove ${day}`}
                    onClick={() =>
                      form.set(
                        'holidays',
                        holidays.filter((_, i) => i !== index),
                      )
                    }
                  >
                    <IconX size={16} />
                  </ActionIcon>
                </Flex>
                <OpeningSpans {...own} errorAt={(place) => form.errorAt(`holidays.${index}.hours${place}`)} />
              </Stack>
            )
          })}
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
    </DialogForm>
  )
}
