import { Alert, Group, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { StepProps } from './audience-step.tsx'
import { scheduledAt } from './campaign-draft.ts'
import classes from './campaigns.module.css'
import { LocalTimes } from './local-times.tsx'
import { allZones, clockOf, isNight, localOf, viewerZone } from './zones.ts'

/** Send now, or at a time shown in the time zones of the viewer and the audience. */
export function ScheduleStep({ draft, change, audienceZone }: StepProps & { audienceZone: string }) {
  const time = scheduledAt(draft)
  const [now] = useState(() => new Date())
  const moment = time ? new Date(time) : draft.when === 'now' ? now : undefined
  return (
    <Stack gap="lg" maw={680}>
      <Radio.Group
        label="When to send"
        value={draft.when}
        onChange={(value) =>
          change({
            when: value === 'later' ? 'later' : 'now',
            // Tomorrow at 9:00 in the audience's time zone.
            ...(value === 'later' &&
              !draft.localTime && {
                zone: audienceZone,
                localTime: `${localOf(new Date(now.getTime() + 86_400_000), audienceZone).slice(0, 10)}T09:00`,
              }),
          })
        }
      >
        <Stack gap="sm" mt="xs">
          <Radio value="now" label="Now" description="Sending starts when you confirm in the last step." />
          <Radio value="later" label="Later" description="You can edit or cancel it until then." />
        </Stack>
      </Radio.Group>
      {draft.when === 'later' && (
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            type="datetime-local"
            label="Date and time"
            min={localOf(now, draft.zone)}
            value={draft.localTime}
            error={
              time && new Date(time) <= now
                ? 'This time is in the past, so sending would start immediately.'
                : undefined
            }
            onChange={(event) => change({ localTime: event.currentTarget.value })}
            miw={200}
          />
          <Select
            label="Time zone"
            allowDeselect={false}
            data={zoneChoices(audienceZone, draft.zone)}
            value={draft.zone}
            onChange={(zone) => zone && change({ zone })}
            miw={200}
          />
        </Group>
      )}
      <Select
        label="Your audience’s time zone"
        description={draft.audienceZone ? 'Chosen by you.' : 'That of most contacts in the audience.'}
        searchable
        allowDeselect={false}
        data={allZones}
        value={audienceZone}
        onChange={(zone) =>
          zone && change({ audienceZone: zone, ...(draft.zone === audienceZone && draft.when === 'later' && { zone }) })
        }
      />
      {moment && (
        <dl className={classes.clocks} aria-label="Send time">
          <dt>Your time</dt>
          <dd>
            {clockOf(moment, viewerZone)} · {viewerZone}
          </dd>
          <dt>Audience time</dt>
          <dd>
            {clockOf(moment, audienceZone)} · {audienceZone}
          </dd>
        </dl>
      )}
      <LocalTimes times={draft.sendingTimes} change={(sendingTimes) => change({ sendingTimes })} />
    </Stack>
  )
}

export function NightWarning({ draft, audienceZone }: Pick<StepProps, 'draft'> & { audienceZone: string }) {
  const time = scheduledAt(draft)
  const { local_time, quiet_hours } = draft.sendingTimes
  if (local_time || quiet_hours || (draft.when === 'later' && !time)) return null
  if (!isNight(time ? new Date(time) : new Date(), audienceZone)) return null
  return (
    <Alert color="yellow" variant="light" title="Night time for your audience">
      Messages between 9 pm and 8 am are reported as spam more often. Set quiet hours to avoid them.
    </Alert>
  )
}

const zoneChoices = (audienceZone: string, chosen: string) =>
  [...new Set([viewerZone, audienceZone, 'UTC', chosen])].map((zone) => ({
    value: zone,
    label: `${zone}${zone === viewerZone ? ' (yours)' : zone === audienceZone ? ' (theirs)' : ''}`,
  }))
