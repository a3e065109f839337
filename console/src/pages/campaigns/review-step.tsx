import type { api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Button, Card, List, Skeleton, Stack, Text } from '@mantine/core'
import { useSession } from '../../data/session.tsx'
import { errorText } from '../../ui/error-text.ts'
import layout from '../../ui/layout.module.css'
import { type Draft, scheduledAt, sendingTimesText } from './campaign-draft.ts'
import { audienceText, people } from './campaign-status.ts'
import classes from './campaigns.module.css'
import { clockOf, viewerZone } from './zones.ts'

/** Summary, forecast and the final button. */
export function ReviewStep({
  draft,
  template,
  channel,
  audienceZone,
  preflight,
  goTo,
}: {
  draft: Draft
  template: types.Template | undefined
  channel: types.Channel | undefined
  audienceZone: string
  preflight: { data: types.CampaignPreflight | undefined; error: unknown; refetch(): unknown }
  goTo(step: string): void
}) {
  const time = scheduledAt(draft)
  const localTimes = sendingTimesText(draft.sendingTimes)
  const rows: { label: string; words: string; more?: string; step: string }[] = [
    { label: 'Name', words: draft.name, step: 'audience' },
    {
      label: 'Audience',
      words: audienceText({
        audience_type: draft.audienceType,
        audience_tags: draft.tags,
        audience_contact_ids: draft.contactIds,
        total_contacts_count: 0,
      }),
      step: 'audience',
    },
    {
      label: 'From',
      words: [channel?.display_name, channel?.phone_number].filter(Boolean).join(' · '),
      step: 'audience',
    },
    { label: 'Template', words: template?.name ?? '', step: 'template' },
    time
      ? {
          label: 'When',
          words: `${clockOf(time, viewerZone)} your time · ${viewerZone}`,
          more: `${clockOf(time, audienceZone)} audience time · ${audienceZone}`,
          step: 'schedule',
        }
      : { label: 'When', words: 'Now', step: 'schedule' },
    ...(localTimes
      ? [{ label: 'Local time', words: localTimes, more: 'In each recipient’s time zone', step: 'schedule' }]
      : []),
  ]
  return (
    <Stack gap="md" maw={680}>
      <Card withBorder>
        <dl className={layout.facts}>
          {rows.map(({ label, words, more, step }) => (
            <Row key={label} label={label}>
              <bdi>{words}</bdi>{' '}
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => goTo(step)}
                aria-label={`Edit ${label.toLowerCase()}`}
              >
                Edit
              </Anchor>
              {more && (
                <Text size="sm" c="dimmed">
                  {more}
                </Text>
              )}
            </Row>
          ))}
        </dl>
      </Card>
      <Outlook preflight={preflight} />
    </Stack>
  )
}

function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Outlook({
  preflight: { data, error, refetch },
}: {
  preflight: Parameters<typeof ReviewStep>[0]['preflight']
}) {
  const { mode } = useSession()
  if (error)
    return (
      <Alert color="red" variant="light" title="This campaign cannot be sent yet" role="alert">
        <Text size="sm">{errorText(error)}</Text>
        <Button size="xs" variant="default" mt="xs" onClick={() => void refetch()}>
          Check again
        </Button>
      </Alert>
    )
  if (!data) return <Skeleton height={120} />
  const {
    total_contacts_count: total,
    recipients,
    skipped,
    missing_variable,
    unresolved_variables,
    minutes,
    messages_per_second,
    last_message_at,
    warnings,
  } = data
  const left = [
    [skipped.opted_out, 'who opted out of marketing'],
    [skipped.no_address, 'without a phone number or WhatsApp account'],
    [skipped.blocked, 'who are blocked'],
    [
      missing_variable,
      `without a value for ${unresolved_variables.map(({ variable }) => `{{${variable.split('.').pop()}}}`).join(', ')}`,
    ],
  ] as const
  return (
    <Card withBorder aria-live="polite">
      <div className={classes.figure}>{recipients === 0 ? 'No recipients' : people(recipients)}</div>
      <Text c="dimmed" mb="sm">
        {total === 0
          ? 'No contact is in the audience. Choose another one.'
          : recipients === 0
            ? `${total === 1 ? 'The contact' : `None of the ${total.toLocaleString('en')} contacts`} in the audience ${total === 1 ? 'cannot' : 'can'} receive it.`
            : `of ${total.toLocaleString('en')} in the audience will receive it. Sending takes ${durationOf(minutes)} at ${messages_per_second.toLocaleString('en')} ${messages_per_second === 1 ? 'message' : 'messages'} per second.`}
        {last_message_at && ` The last message is sent ${clockOf(last_message_at, viewerZone)} your time.`}
      </Text>
      {left.some(([count]) => count > 0) && (
        <>
          <Text size="sm" fw={550}>
            Skipped
          </Text>
          <List size="sm" mb="sm">
            {left.map(([count, why]) => count > 0 && <List.Item key={why}>{`${people(count)} ${why}`}</List.Item>)}
          </List>
        </>
      )}
      {warnings.length > 0 && (
        <Stack gap="xs" mb="xs">
          <Warnings warnings={warnings} />
        </Stack>
      )}
      <Text size="sm" c="dimmed">
        {mode === 'test'
          ? 'Test mode: WhatsApp and the recipients are simulated. No real messages and no cost.'
          : 'WhatsApp charges you for delivered messages at its own rates.'}
      </Text>
    </Card>
  )
}

/**
 * What the preflight warns of: limits of the number on the first step, time zones with the schedule, all in the review.
 */
export const Warnings = ({ warnings }: { warnings: string[] }) =>
  warnings.map((warning) => (
    <Alert key={warning} color="yellow" variant="light">
      {warning}
    </Alert>
  ))

function durationOf(minutes: number): string {
  if (minutes < 1) return 'less than a minute'
  if (minutes < 90) return `about ${Math.round(minutes)} ${Math.round(minutes) === 1 ? 'minute' : 'minutes'}`
  return `about ${Math.round(minutes / 60)} hours`
}
