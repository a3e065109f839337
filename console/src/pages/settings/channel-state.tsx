import type { api as types } from '@frontdesk/sdk'
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'

/** Why a channel does not receive messages, and what to do about it. Nothing for one that does. */
export function ChannelState({ channel }: { channel: types.Channel }) {
  if (channel.status === 'pending_verification')
    return (
      <Alert color="yellow" icon={<IconClock size={18} />} title="Waiting for WhatsApp to confirm this number">
        <Text size="sm">
          Messages are not received until then. Frontdesk asks again every few minutes. {channel.status_reason}
        </Text>
      </Alert>
    )
  if (channel.status === 'verification_failed')
    return (
      <Alert color="red" icon={<IconAlertTriangle size={18} />} title="WhatsApp did not confirm this number">
        <Text size="sm">
          Messages are neither received nor sent. {channel.status_reason}. Check the IDs and enter the access token
          again.
        </Text>
      </Alert>
    )
  return null
}
