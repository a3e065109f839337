import type { api as types } from '@frontdesk/sdk'
import { Alert, Button, Card, Group, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useRefresh } from '../../data/use-records.ts'
import { wordOf } from '../../ui/capitalized.ts'
import { errorText } from '../../ui/error-text.ts'
import layout from '../../ui/layout.module.css'
import { Moment } from '../../ui/moment.tsx'
import { Status, type Tone } from '../../ui/status.tsx'

type Health = NonNullable<types.Channel['health']>

const qualities: Record<string, { tone: Tone; word: string }> = {
  GREEN: { tone: 'good', word: 'High' },
  YELLOW: { tone: 'warning', word: 'Medium' },
  RED: { tone: 'bad', word: 'Low' },
}

/** What WhatsApp says about the number: quality, limits and restrictions. */
export function ChannelHealth({ channel }: { channel: types.Channel }) {
  const refresh = useRefresh('channels')
  const [isChecking, setChecking] = useState(false)
  const { health } = channel
  async function check() {
    setChecking(true)
    try {
      await api.channels.checkHealth(channel.id)
      await refresh()
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error) })
    }
    setChecking(false)
  }
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" mb="xs">
        <Title order={3}>Number health</Title>
        <Button size="compact-sm" variant="default" loading={isChecking} onClick={() => void check()}>
          Check now
        </Button>
      </Group>
      {health ? (
        <KnownHealth health={health} />
      ) : (
        <Text size="sm" c="dimmed">
          Not checked yet. Frontdesk asks WhatsApp every hour.
        </Text>
      )}
    </Card>
  )
}

function KnownHealth({ health }: { health: Health }) {
  const { quality_rating, throughput_level, name_status, restrictions, checked_at } = health
  const { number_status, account_review_status, account_violation: violation } = health
  const messaging = messagingWords[health.messaging_status ?? '']
  const quality = qualities[quality_rating ?? '']
  return (
    <>
      {health.account_status !== 'active' && (
        <Alert color="red" variant="light" mb="xs" icon={<IconAlertTriangle size={18} />}>
          {health.account_status === 'disabled'
            ? 'WhatsApp has disabled the business account. Nothing can be sent.'
            : 'WhatsApp will disable the business account.'}
        </Alert>
      )}
      {messaging && (
        <Alert color={messaging.color} variant="light" mb="xs" icon={<IconAlertTriangle size={18} />}>
          {messaging.word}
          {health.messaging_problems.map((problem) => (
            <Text key={problem} size="sm">
              {problem}
            </Text>
          ))}
        </Alert>
      )}
      {violation && (
        <Alert color="yellow" variant="light" mb="xs" icon={<IconAlertTriangle size={18} />}>
          {'WhatsApp reported a policy violation: '}
          {wordOf(violation.type)}, <Moment at={violation.at} />
        </Alert>
      )}
      {restrictions.map(({ type, until }) => (
        <Alert key={type} color="red" variant="light" mb="xs" icon={<IconAlertTriangle size={18} />}>
          {restrictionWords[type] ?? wordOf(type)}
          {until && (
            <>
              {' until '}
              <Moment at={until} />
            </>
          )}
        </Alert>
      ))}
      <dl className={layout.facts}>
        <dt>Quality</dt>
        <dd>{quality ? <Status tone={quality.tone}>{quality.word}</Status> : 'Not rated yet'}</dd>
        <dt>Messaging limit</dt>
        <dd>{limitOf(health)}</dd>
        <dt>Throughput</dt>
        <dd>{throughput_level ? wordOf(throughput_level) : '–'}</dd>
        <dt>Display name</dt>
        <dd>{name_status ? wordOf(name_status) : '–'}</dd>
        <dt>Number</dt>
        <dd>{number_status ? wordOf(number_status) : '–'}</dd>
        <dt>Account review</dt>
        <dd>{account_review_status ? wordOf(account_review_status) : '–'}</dd>
        {checked_at && (
          <>
            <dt>Checked</dt>
            <dd>
              <Moment at={checked_at} />
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

const messagingWords: Record<string, { color: string; word: string }> = {
  LIMITED: { color: 'yellow', word: 'WhatsApp limits the messages of this number.' },
  BLOCKED: { color: 'red', word: 'WhatsApp does not let this number send messages.' },
}

const restrictionWords: Record<string, string> = {
  RESTRICTED_BIZ_INITIATED_MESSAGING: 'Campaigns and templates cannot be sent',
  RESTRICTED_CUSTOMER_INITIATED_MESSAGING: 'Replies to customers cannot be sent',
  RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'No phone numbers can be added',
}

function limitOf({ messaging_limit, messaging_limit_tier }: Health): string {
  if (messaging_limit !== null) return `${messaging_limit.toLocaleString('en')} people per 24 hours`
  return messaging_limit_tier === 'TIER_UNLIMITED' ? 'Unlimited' : 'Not known'
}
