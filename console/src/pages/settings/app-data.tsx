import type { api as types } from '@frontdesk/sdk'
import { Button, Card, Group, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { errorText } from '../../ui/error-text.ts'
import { showDone } from '../../ui/undo.tsx'

/** Asks WhatsApp for the contacts and chats of the Business app on the number. */
export function AppData({ channel }: { channel: types.Channel }) {
  const [isWorking, setWorking] = useState(false)
  async function copy() {
    setWorking(true)
    // One at a time: WhatsApp takes each only once, so a refusal of one must not keep the other from being asked for.
    for (const data of ['contacts', 'history'] as const)
      await api.channels.requestAppData(channel.id, { data }).then(
        () => showDone(data === 'contacts' ? 'Contacts requested' : 'Chats requested'),
        (error) => notifications.show({ color: 'red', message: errorText(error) }),
      )
    setWorking(false)
  }
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" mb="xs">
        <Title order={3}>WhatsApp Business app</Title>
        <Button size="compact-sm" variant="default" loading={isWorking} onClick={() => void copy()}>
          Copy contacts and chats
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Once, within 24 hours after you connect the number. Set up the webhook at Meta first.
      </Text>
    </Card>
  )
}
