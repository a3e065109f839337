import type { api as types } from '@frontdesk/sdk'
import { Menu, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { IconPhone, IconRocket, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { api, apiWith } from '../../data/api.ts'
import { IfMay, useSession } from '../../data/session.tsx'
import { errorText } from '../../ui/error-text.ts'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { showWithButton } from '../../ui/toast-with-button.tsx'
import { showDone } from '../../ui/undo.tsx'

/** Actions on an agent. */
export function AgentActions({
  agent,
  setDeleting,
  onDeleted,
}: {
  agent: types.Agent
  /** Whether it is being deleted. */
  setDeleting(isDeleting: boolean): void
  onDeleted(): void
}) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mode, chooseMode } = useSession()
  const fail = (error: unknown) => notifications.show({ color: 'red', message: errorText(error) })

  const promote = () =>
    modals.openConfirmModal({
      title: `Copy ${agent.name} to live mode?`,
      children: (
        <Stack gap="xs">
          <Text size="sm">
            Creates a copy with the same instructions, tools and secrets in live mode, or updates the copy made earlier.
          </Text>
          <Text size="sm">It answers real people once you assign it to a live channel.</Text>
        </Stack>
      ),
      labels: { confirm: 'Copy to live mode', cancel: 'Cancel' },
      async onConfirm() {
        try {
          const copy = await apiWith({ mode: 'live' }).agents.promote(agent.id)
          const missing = copy.missing_documents.map(({ file_name }) => file_name)
          if (missing.length > 0)
            notifications.show({
              color: 'yellow',
              title: 'Some documents are missing in live mode',
              message: `${missing.join(', ')}: copy them to live mode, then copy the agent again.`,
              autoClose: false,
            })
          const run = () => {
            chooseMode('live')
            void navigate(`/agents/${copy.id}`)
          }
          showWithButton(
            { message: `Copied ${copy.name} to live mode as version ${copy.version}`, autoClose: 15_000 },
            { label: 'View', run },
          )
        } catch (error) {
          fail(error)
        }
      },
    })

  const remove = async () => {
    // The confirmation names the channels that lose their agent.
    const channels = await api.channels.list({ limit: 100 }).then(
      ({ data }) => data.filter(({ agent_id }) => agent_id === agent.id),
      () => [],
    )
    modals.openConfirmModal({
      title: `Delete ${agent.name}?`,
      children: (
        <Stack gap="xs">
          <Text size="sm">
            {channels.length > 0
              ? `It answers ${channels.map(({ display_name, phone_number }) => display_name || phone_number).join(', ')} now. After deletion no agent does.`
              : 'It is not assigned to a channel.'}
          </Text>
          <Text size="sm">
            View calls stay in the log. Its instructions, tools and secrets are permanently deleted.
          </Text>
        </Stack>
      ),
      labels: { confirm: 'Delete agent', cancel: 'Cancel' },
      confirmProps: { color: 'red.9' },
      async onConfirm() {
        setDeleting(true)
        try {
          await api.agents.delete(agent.id)
          onDeleted()
          queries.removeQueries({ queryKey: [mode, 'agents', agent.id] })
          void queries.invalidateQueries({ queryKey: [mode, 'agents'] })
          showDone(`Deleted ${agent.name}`)
        } catch (error) {
          setDeleting(false)
          fail(error)
        }
      },
    })
  }

  return (
    <MoreMenu>
      <Menu.Item component={Link} to={`/calls?agent=${agent.id}`} leftSection={<IconPhone size={14} />}>
        View calls
      </Menu.Item>
      <IfMay scope="agents:write">
        {mode === 'test' && (
          <Menu.Item leftSection={<IconRocket size={14} />} onClick={promote}>
            Copy to live mode
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={() => void remove()}>
          Delete
        </Menu.Item>
      </IfMay>
    </MoreMenu>
  )
}
