import type { api as types } from '@frontdesk/sdk'
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { mayManage, useMe, useSession } from '../../data/session.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { useAgents } from '../../records/agents/use-agents.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { Status } from '../../ui/status.tsx'
import { ChannelDrawer } from './channel-drawer.tsx'

const addressOf = ({ id }: types.Channel) => `/settings/channels?channel=${id}`

export function ChannelsTab() {
  const canManage = mayManage(useMe())
  const { mode } = useSession()
  const [parameters, setParameters] = useSearchParams()
  const list = useCursorList(['channels'], (starting_after, signal) =>
    api.channels.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  const agents = useAgents()
  const nameOfAgent = (id: string | null) => agents.find((agent) => agent.id === id)?.name
  const openedId = parameters.get('channel')
  const createButton = canManage && <NewButton onClick={() => setParameters({ new: 'channel' })}>New channel</NewButton>
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          Your phone numbers for chat and calls
          {mode === 'test' ? '. In test mode they are simulated, so any number works.' : '.'}
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path="/channels" />
          {createButton}
        </Group>
      </Group>
      <RecordList
        list={list}
        empty={{
          title: 'No channels yet',
          text: 'A channel is a phone number that customers message and call. Add one to send and receive.',
          action: createButton,
        }}
        skeletons={3}
        paging={list.hasNextPage ? undefined : null}
        address={addressOf}
        columns={[
          {
            label: 'Channel',
            cell: (channel) => (
              <>
                <RowLink to={addressOf(channel)}>{channel.display_name || channel.phone_number}</RowLink>
                {channel.display_name && (
                  <Text size="xs" c="dimmed">
                    {channel.phone_number}
                  </Text>
                )}
              </>
            ),
          },
          { label: 'Chat', cell: (channel) => <SideState channel={channel} side="chat" /> },
          { label: 'Voice', cell: (channel) => <SideState channel={channel} side="voice" /> },
          {
            label: 'Answered by',
            from: 'sm',
            cell: ({ agent_id }) =>
              agent_id ? (
                <Anchor component={Link} to={`/agents/${agent_id}`} size="sm">
                  {nameOfAgent(agent_id) ?? 'An agent'}
                </Anchor>
              ) : (
                'People'
              ),
          },
          {
            label: 'Messages per second',
            from: 'md',
            align: 'right',
            cell: ({ messages_per_second }) => messages_per_second,
          },
          { label: 'Added', from: 'md', cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
      <ChannelDrawer
        id={openedId}
        isNew={canManage && parameters.get('new') === 'channel'}
        canManage={canManage}
        agents={agents}
        close={() => setParameters({})}
        open={(id) => setParameters({ channel: id })}
      />
    </Stack>
  )
}

function SideState({ channel, side }: { channel: types.Channel; side: 'chat' | 'voice' }) {
  if (!channel[side])
    return channel.livemode ? <Status tone="waiting">Not set up</Status> : <Status tone="good">Simulated</Status>
  if (side === 'chat' && channel.status === 'pending_verification') return <Status tone="waiting">Verifying</Status>
  if (side === 'chat' && channel.status === 'verification_failed') return <Status tone="bad">Not verified</Status>
  return <Status tone="good">Set up</Status>
}
