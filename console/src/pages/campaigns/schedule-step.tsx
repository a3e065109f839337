import type { api as types } from '@frontdesk/sdk'
import { Alert, Group, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { StepProps } from './audience-step.tsx'
import { scheduledAt } from './campaign-draft.ts'
import classes from './campaigns.module.css'
import { allZones, clockOf, commonZone, isNight, localOf, viewerZone } from './zones.ts'

export const audienceZoneOf = (chosen: string | null, sample: types.Contact[]): string =>
  chosen ?? commonZone(sample.map(({ phone_number }) => phone_number)) ?? viewerZone

/** Now, or at a time that is shown by the clocks of both sides. */
export function ScheduleStep({ draft, change, sample }: StepProps & { sample: types.Contact[] }) {
  const audienceZone = audienceZoneOf(draft.audienceZone, sample)
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
            // Tomorrow at nine, where the audience is.
            ...(value === 'later' &&
              !draft.localTime && {
                zone: audienceZone,
                localTime: `${localOf(new Date(now.getTime() + 86_400_000), audienceZone).slice(0, 10)}T09:00`,
              }),
          })
        }
      >
        <Stack gap="sm" mt="xs">
          <Radio value="now" label="Now" description="Sending begins with the last step of this page." />
          <Radio value="later" label="Later" description="It can be changed or cancelled until then." />
        </Stack>
      </Radio.Group>
      {draft.when === 'later' && (
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            type="datetime-local"
            label="Date and time"
            min={localOf(now, draft.zone)}
            value={draft.localTime}
            error={time && new Date(time) <= now ? 'This is in the past: it would be sent at once.' : undefined}
            onChange={(event) => change({ localTime: event.currentTarget.value })}
            miw={200}
          />
          <Select
            label="By the clocks of"
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
        description={
          draft.audienceZone
            ? 'As you chose it.'
            : 'Judged by the country codes of some of their numbers. Change it if you know better.'
        }
        searchable
        allowDeselect={false}
        data={allZones}
        value={audienceZone}
        onChange={(zone) =>
          zone && change({ audienceZone: zone, ...(draft.zone === audienceZone && draft.when === 'later' && { zone }) })
        }
      />
      {moment && (
        <dl className={classes.clocks} aria-label="When it is sent">
          <dt>For you</dt>
          <dd>
            {clockOf(moment, viewerZone)} · {viewerZone}
          </dd>
          <dt>For them</dt>
          <dd>
            {clockOf(moment, audienceZone)} · {audienceZone}
          </dd>
        </dl>
      )}
      {moment && isNight(moment, audienceZone) && (
        <Alert color="yellow" variant="light" title="It is night there">
          Between nine in the evening and eight in the morning people mind being written to, and report it.
        </Alert>
      )}
    </Stack>
  )
}

const zoneChoices = (audienceZone: string, chosen: string) =>
  [...new Set([viewerZone, audienceZone, 'UTC', chosen])].map((zone) => ({
    value: zone,
    label: `${zone}${zone === viewerZone ? ' (yours)' : zone === audienceZone ? ' (theirs)' : ''}`,
  }))
