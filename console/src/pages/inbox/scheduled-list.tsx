import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconClock, IconX } from '@tabler/icons-react'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { showFault } from '../../ui/undo.tsx'
import classes from './inbox.module.css'
import { timeText } from './snooze-times.ts'
import type { Ticket } from './tickets.ts'

/** Messages of this conversation that wait for their time. */
export function ScheduledList({ ticket }: { ticket: Ticket }) {
  const { data, isPlaceholderData } = useRecord(['scheduled', ticket.id], (signal) =>
    api.inbox.listScheduledMessages(ticket.id, { status: 'scheduled', limit: 20 }, { signal }),
  )
  const waiting = isPlaceholderData ? [] : (data?.data ?? [])
  if (waiting.length === 0) return null
  const cancel = (id: string) =>
    api.inbox.cancelScheduledMessage(id).catch((error: unknown) => showFault(error, 'Could not cancel the message'))
  return (
    <ul className={classes.scheduled} aria-label="Scheduled messages">
      {waiting.toReversed().map(({ id, message, send_at }) => (
        <li key={id}>
          <Group gap="xs" wrap="nowrap">
            <IconClock size={14} aria-hidden />
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {timeText(new Date(send_at))}
            </Text>
            <Text size="sm" truncate flex={1} dir="auto">
              {String(message.body || 'Message')}
            </Text>
            <Tooltip label="Cancel this message">
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                onClick={() => void cancel(id)}
                aria-label="Cancel this message"
              >
                <IconX size={14} />
              </ActionIcon>
            </Tooltip>
          </Group>
        </li>
      ))}
    </ul>
  )
}
