import type { api as types } from '@frontdesk/sdk'
import { Card, Code, Group, Stack, Text, Title } from '@mantine/core'
import { Copy } from '../../ui/copy.tsx'

const whole = (address: string) => (address.startsWith('/') ? location.origin + address : address)

/** What to enter at the platform and at the carrier, so that they reach this channel. */
export function ChannelAddresses({ channel }: { channel: types.Channel }) {
  const { chat, voice, id } = channel
  const isReachable = location.protocol === 'https:' || chat?.hook_url?.startsWith('https:')
  if (!chat && !voice) return null
  return (
    <Card withBorder padding="sm">
      <Title order={3} mb="xs">
        Enter these there
      </Title>
      <Stack gap="xs">
        {chat &&
          (chat.hook_url ? (
            <Address label="Chat platform: callback URL" value={whole(chat.hook_url)} />
          ) : (
            <Text size="sm" c="dimmed">
              Give the app secret to get the address that the chat platform posts to.
            </Text>
          ))}
        {chat?.hook_url && (
          <Text size="xs" c="dimmed">
            With the verify token beside it.{' '}
            {chat.has_verify_token ? 'Frontdesk knows it and shows it to nobody.' : 'None is stored yet.'}
          </Text>
        )}
        {voice && (
          <>
            <Address label="Carrier: voice address (POST)" value={whole(`/hooks/voice/${id}/inbound`)} />
            <Address label="Carrier: status callback" value={whole(`/hooks/voice/${id}/status`)} />
          </>
        )}
        {!isReachable && (
          <Text size="sm">
            This Frontdesk has no public https address yet, so nobody outside reaches it: set <Code>PUBLIC_URL</Code> on
            the server.
          </Text>
        )}
      </Stack>
    </Card>
  )
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
        <Copy value={value} what={label} />
      </Group>
    </div>
  )
}
