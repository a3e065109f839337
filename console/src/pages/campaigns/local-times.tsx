import { Fieldset, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { ScheduleSelect } from '../../records/schedules/schedule-select.tsx'
import type { Draft } from './campaign-draft.ts'

type Times = Draft['sendingTimes']

/** Delivery time and quiet hours in each recipient's time zone, and your business hours. */
export function LocalTimes({ times, change }: { times: Times; change(times: Times): void }) {
  const { local_time, quiet_hours } = times
  return (
    <Fieldset legend="Recipient’s local time" styles={{ legend: { fontWeight: 600 } }}>
      <Stack gap="sm">
        <Switch
          label="Send at a local time"
          checked={local_time !== null}
          onChange={(event) => change({ ...times, local_time: event.currentTarget.checked ? '10:00' : null })}
        />
        {local_time !== null && (
          <TextInput
            type="time"
            label="Local time"
            required
            maw={180}
            value={local_time}
            onChange={(event) => change({ ...times, local_time: event.currentTarget.value })}
          />
        )}
        <Switch
          label="Quiet hours"
          checked={quiet_hours !== null}
          onChange={(event) =>
            change({ ...times, quiet_hours: event.currentTarget.checked ? { from: '21:00', until: '08:00' } : null })
          }
        />
        {quiet_hours && (
          <Group align="flex-start">
            <TextInput
              type="time"
              label="From"
              required
              w={140}
              value={quiet_hours.from}
              onChange={(event) =>
                change({ ...times, quiet_hours: { ...quiet_hours, from: event.currentTarget.value } })
              }
            />
            <TextInput
              type="time"
              label="Until"
              required
              w={140}
              value={quiet_hours.until}
              onChange={(event) =>
                change({ ...times, quiet_hours: { ...quiet_hours, until: event.currentTarget.value } })
              }
            />
          </Group>
        )}
        <ScheduleSelect
          label="Only within business hours"
          placeholder="At any time"
          maw={360}
          value={times.schedule_id ?? null}
          onChange={(schedule_id) => change({ ...times, schedule_id })}
        />
        <Text size="sm" c="dimmed" aria-live="polite">
          {sentenceOf(times)}
        </Text>
      </Stack>
    </Fieldset>
  )
}

function sentenceOf({ local_time, quiet_hours }: Times): string {
  if (!local_time && !quiet_hours) return 'Everyone gets the message at the same moment, whatever time it is for them.'
  const zone = 'The time zone is the contact’s own, or that of the phone number’s country, or your organization’s.'
  const at = local_time ? `Each recipient gets the message when it is ${local_time} for them.` : ''
  const quiet = quiet_hours
    ? `Nothing is sent between ${quiet_hours.from} and ${quiet_hours.until} their time; those messages wait.`
    : ''
  return [at, quiet, zone].filter(Boolean).join(' ')
}
