import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { mayManage, useMe, useSession } from '../../data/session.tsx'
import { useCursorList, useRecord } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { EmptyState, ErrorState, RowSkeletons } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { ChannelDrawer } from './channel-drawer.tsx'

export function ChannelsTab() {
  const canManage = mayManage(useMe())
  const { mode } = useSession()
  const [parameters, setParameters] = useSearchParams()
  const list = useCursorList(['channels'], (starting_after, signal) =>
    api.channels.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  const agents = useRecord(
    ['agents', 'names'],
    async (signal) => (await api.agents.list({ limit: 100 }, { signal })).data,
  )
  const nameOfAgent = (id: string | null) => agents.data?.find((agent) => agent.id === id)?.name
  const openedId = parameters.get('channel')
  const createButton = canManage && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setParameters({ new: 'channel' })}>
      Add a channel
    </Button>
  )
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          Your phone numbers for chat and calls
          {mode === 'test' ? ': in test mode the simulator carries them, so a number is enough.' : '.'}
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path="/channels" />
          {createButton}
        </Group>
      </Group>
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : list.data && list.rows.length === 0 ? (
        <EmptyState title="No channel yet" action={createButton}>
          A channel is a phone number that customers write to and call. Add one to send messages and to be reached.
        </EmptyState>
      ) : (
        <>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Channel</Table.Th>
                <Table.Th>Chat</Table.Th>
                <Table.Th>Voice</Table.Th>
                <Table.Th visibleFrom="sm">Answered by</Table.Th>
                <Table.Th visibleFrom="md" ta="right">
                  Messages a second
                </Table.Th>
                <Table.Th visibleFrom="md">Added</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.data ? (
                list.rows.map((channel) => (
                  <Table.Tr key={channel.id}>
                    <Table.Td>
                      <Anchor component={Link} to={`/settings/channels?channel=${channel.id}`} size="sm" fw={500}>
                        {channel.display_name || channel.phone_number}
                      </Anchor>
                      {channel.display_name && (
                        <Text size="xs" c="dimmed">
                          {channel.phone_number}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>
                      <SideState channel={channel} side="chat" />
                    </Table.Td>
                    <Table.Td>
                      <SideState channel={channel} side="voice" />
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      {channel.agent_id ? (
                        <Anchor component={Link} to={`/agents/${channel.agent_id}`} size="sm">
                          {nameOfAgent(channel.agent_id) ?? 'An agent'}
                        </Anchor>
                      ) : (
                        'People'
                      )}
                    </Table.Td>
                    <Table.Td visibleFrom="md" ta="right">
                      {channel.messages_per_second}
                    </Table.Td>
                    <Table.Td visibleFrom="md">
                      <Moment at={channel.created_at} />
                    </Table.Td>
                  </Table.Tr>
                ))
              ) : (
                <RowSkeletons columns={6} rows={3} />
              )}
            </Table.Tbody>
          </Table>
          {list.hasNextPage && <MoreOf list={list} />}
        </>
      )}
      <ChannelDrawer
        id={openedId}
        isNew={canManage && parameters.get('new') === 'channel'}
        canManage={canManage}
        agents={agents.data ?? []}
        close={() => setParameters({})}
        open={(id) => setParameters({ channel: id })}
      />
    </Stack>
  )
}

function SideState({ channel, side }: { channel: types.Channel; side: 'chat' | 'voice' }) {
  if (!channel[side])
    return channel.livemode ? <Status tone="waiting">Not set up</Status> : <Status tone="good">Simulated</Status>
  return <Status tone="good">Set up</Status>
}
