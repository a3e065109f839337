import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Menu, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { IconDots, IconPhone, IconRocket, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { api, apiWith } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { errorText } from '../../ui/error-text.ts'

/** What is done with an agent as a whole. */
export function AgentActions({ agent, onDeleted }: { agent: types.Agent; onDeleted(): void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mode, chooseMode } = useSession()
  const fail = (error: unknown) => notifications.show({ color: 'red', message: errorText(error) })

  const promote = () =>
    modals.openConfirmModal({
      title: `Copy ${agent.name} to live mode`,
      children: (
        <Stack gap="xs">
          <Text size="sm">
            A copy with the same instructions, tools and secrets is made in live mode. If there is one from before, it
            becomes what this agent is now.
          </Text>
          <Text size="sm">It answers real people once a live channel is given to it.</Text>
        </Stack>
      ),
      labels: { confirm: 'Copy to live', cancel: 'Not now' },
      async onConfirm() {
        try {
          const copy = await apiWith({ mode: 'live' }).agents.promote(agent.id)
          notifications.show({
            message: `${copy.name} is in live mode now, as version ${copy.version}. Click here to see it there.`,
            autoClose: 15_000,
            style: { cursor: 'pointer' },
            onClick() {
              chooseMode('live')
              void navigate(`/agents/${copy.id}`)
            },
          })
        } catch (error) {
          fail(error)
        }
      },
    })

  const remove = async () => {
    // Who answers nobody any more is part of the question.
    const channels = await api.channels.list({ limit: 100 }).then(
      ({ data }) => data.filter(({ agent_id }) => agent_id === agent.id),
      () => [],
    )
    modals.openConfirmModal({
      title: `Delete ${agent.name}`,
      children: (
        <Stack gap="xs">
          <Text size="sm">
            {channels.length > 0
              ? `It answers ${channels.map(({ display_name, phone_number }) => display_name || phone_number).join(', ')} now: nobody does then.`
              : 'It answers no channel now.'}
          </Text>
          <Text size="sm">Its calls stay in the log. Its instructions, tools and secrets cannot be brought back.</Text>
        </Stack>
      ),
      labels: { confirm: 'Delete this agent', cancel: 'Keep it' },
      confirmProps: { color: 'red.9' },
      async onConfirm() {
        try {
          await api.agents.delete(agent.id)
          onDeleted()
          queries.removeQueries({ queryKey: [mode, 'agents', agent.id] })
          void queries.invalidateQueries({ queryKey: [mode, 'agents'] })
          notifications.show({ message: `${agent.name} was deleted` })
        } catch (error) {
          fail(error)
        }
      },
    })
  }

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/calls?agent=${agent.id}`} leftSection={<IconPhone size={14} />}>
          Its calls
        </Menu.Item>
        {mode === 'test' && (
          <Menu.Item leftSection={<IconRocket size={14} />} onClick={promote}>
            Copy to live mode
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={() => void remove()}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
