import { Anchor, Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconSquarePlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useCursorList, useRecord } from '../../data/use-records.ts'
import { durationOf } from '../../records/contacts/timeline-entry.tsx'
import { useTaskForm } from '../../records/tasks/task-form.tsx'
import { TaskItem } from '../../records/tasks/task-item.tsx'
import { Moment } from '../../ui/moment.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'

interface Listing {
  error: unknown
  data: unknown
  refetch(): unknown
}

function Rows({
  list,
  count,
  nothing,
  children,
}: {
  list: Listing
  count: number
  nothing: string
  children: ReactNode
}) {
  if (list.error && !list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  if (!list.data)
    return (
      <Stack gap="sm" aria-hidden>
        {[60, 40, 50].map((width) => (
          <Skeleton key={width} height={18} width={`${width}%`} />
        ))}
      </Stack>
    )
  if (count === 0)
    return (
      <Text size="sm" c="dimmed" py="lg" ta="center">
        {nothing}
      </Text>
    )
  return children
}

export function ContactTasks({ contactId }: { contactId: string }) {
  const openTask = useTaskForm()
  const contact = useRecord(['contacts', contactId], (signal) => api.contacts.get(contactId, { signal })).data
  const list = useCursorList(['tasks', 'of', contactId], (starting_after, signal) =>
    api.tasks.list({ contact_id: contactId, limit: 50, starting_after }, { signal }),
  )
  return (
    <Box>
      <Group justify="flex-end" mb="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconSquarePlus size={14} />}
          onClick={() => openTask(contact && { contact })}
        >
          Add task
        </Button>
      </Group>
      <Rows list={list} count={list.rows.length} nothing="No tasks for this contact yet.">
        {list.rows.map((task) => (
          <TaskItem key={task.id} task={task} isContactKnown />
        ))}
        {list.hasNextPage && <MoreButton list={list} />}
      </Rows>
    </Box>
  )
}

const callTones = {
  completed: 'good',
  'in-progress': 'busy',
  busy: 'warning',
  failed: 'bad',
  'no-answer': 'waiting',
} as const

export function ContactCalls({ contactId }: { contactId: string }) {
  const list = useCursorList(['calls', 'of', contactId], (starting_after, signal) =>
    api.calls.list({ contact_id: contactId, limit: 30, starting_after }, { signal }),
  )
  return (
    <Rows list={list} count={list.rows.length} nothing="No calls with this contact yet.">
      {list.rows.map(({ id, direction, status, duration_seconds, started_at, summary }) => (
        <Box key={id} py="xs" style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
          <Group justify="space-between" gap="sm">
            <Group gap="sm">
              <Anchor component={Link} to={`/calls/${id}`} size="sm">
                {direction === 'inbound' ? 'Inbound call' : 'Outbound call'}
              </Anchor>
              <Status tone={callTones[status]}>{status.replace('-', ' ')}</Status>
              <Text size="sm" c="dimmed">
                {duration_seconds > 0 && durationOf(duration_seconds)}
              </Text>
            </Group>
            <Text size="xs" c="dimmed">
              <Moment at={started_at} />
            </Text>
          </Group>
          {summary && (
            <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
              {summary}
            </Text>
          )}
        </Box>
      ))}
      {list.hasNextPage && <MoreButton list={list} />}
    </Rows>
  )
}

export function ContactConversations({ contactId }: { contactId: string }) {
  const list = useRecord(['tickets', 'of', contactId], (signal) =>
    api.inbox.listTickets({ contact_id: contactId, limit: 100 }, { signal }),
  )
  const tickets = list.data?.inboxes ?? []
  return (
    <Rows list={list} count={tickets.length} nothing="No conversations with this contact yet.">
      {tickets.map(({ id, status, last_message_at, created_at, unread_count }) => (
        <Group
          key={id}
          justify="space-between"
          py="xs"
          style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
        >
          <Group gap="sm">
            <Anchor component={Link} to={`/inbox/${id}`} size="sm">
              Open in inbox
            </Anchor>
            <Status tone={status === 'open' ? 'busy' : 'waiting'}>{status === 'open' ? 'Open' : 'Closed'}</Status>
            {unread_count > 0 && <Text size="sm">{unread_count} unread</Text>}
          </Group>
          <Text size="xs" c="dimmed">
            <Moment at={last_message_at ?? created_at} />
          </Text>
        </Group>
      ))}
    </Rows>
  )
}
