import type { api as types } from '@frontdesk/sdk'
import { Card, Code, Group, Stack, Text, Title } from '@mantine/core'
import { Copy } from '../../ui/copy.tsx'

const whole = (address: string) => (address.startsWith('/') ? location.origin + address : address)

/** The URLs to enter at WhatsApp and at the carrier. */
export function ChannelAddresses({ channel }: { channel: types.Channel }) {
  const { chat, voice, id } = channel
  const isReachable = location.protocol === 'https:' || chat?.hook_url?.startsWith('https:')
  if (!chat && !voice) return null
  return (
    <Card withBorder padding="sm">
      <Title order={3} mb="xs">
        URLs to enter at your providers
      </Title>
      <Stack gap="xs">
        {chat &&
          (chat.hook_url ? (
            <Address label="WhatsApp: callback URL" value={whole(chat.hook_url)} />
          ) : (
            <Text size="sm" c="dimmed">
              Enter the app secret to get the callback URL for WhatsApp.
            </Text>
          ))}
        {chat?.hook_url && (
          <Text size="xs" c="dimmed">
            Use it with the verify token.{' '}
            {chat.has_verify_token ? 'A token is stored and cannot be shown.' : 'No token is stored yet.'}
          </Text>
        )}
        {voice && (
          <>
            <Address label="Carrier: voice URL (POST)" value={whole(`/hooks/voice/${id}/inbound`)} />
            <Address label="Carrier: status callback URL" value={whole(`/hooks/voice/${id}/status`)} />
          </>
        )}
        {!isReachable && (
          <Text size="sm">
            This installation has no public HTTPS address, so providers cannot reach it. Set <Code>PUBLIC_URL</Code> on
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
