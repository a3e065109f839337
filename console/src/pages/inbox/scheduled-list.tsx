import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Button, Group, Modal, Text, Textarea, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconClock, IconPencil, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { showFault } from '../../ui/undo.tsx'
import { useLast } from '../../ui/use-last.ts'
import classes from './inbox.module.css'
import { fieldValue, TimeField } from './send-later.tsx'
import type { Ticket } from './tickets.ts'
import { timeText } from './time-text.ts'

type Scheduled = types.ScheduledMessage

const textOf = ({ message }: Scheduled) => String(message.body ?? '')
/** Templates, locations and contact cards have no text of their own. */
const hasText = ({ message }: Scheduled) => !message.template_id && !message.location && !message.contacts

function useScheduled(ticketId: string, status: 'scheduled' | 'failed'): Scheduled[] {
  const { data, isPlaceholderData } = useRecord(['scheduled', ticketId, status], (signal) =>
    api.inbox.listScheduledMessages(ticketId, { status, limit: 20 }, { signal }),
  )
  return isPlaceholderData ? [] : (data?.data.toReversed() ?? [])
}

type Work = 'retry' | 'cancel'

/** What is being done with each message, until the list shows the result. */
function useWork(ticketId: string) {
  const refresh = useRefresh(['scheduled', ticketId])
  const [working, setWorking] = useState<ReadonlyMap<string, Work>>(new Map())
  async function work(id: string, kind: Work, act: () => Promise<unknown>, fault: string): Promise<void> {
    setWorking((before) => new Map(before).set(id, kind))
    try {
      await act()
      await refresh()
    } catch (error) {
      showFault(error, fault)
    } finally {
      setWorking((before) => new Map([...before].filter(([each]) => each !== id)))
    }
  }
  return { working, work }
}

/** Messages of this conversation that wait for their time, and those that could not be sent. */
export function ScheduledList({ ticket }: { ticket: Ticket }) {
  const failed = useScheduled(ticket.id, 'failed')
  const waiting = useScheduled(ticket.id, 'scheduled')
  const [editing, setEditing] = useState<Scheduled>()
  const shown = useLast(editing)
  const { working, work } = useWork(ticket.id)
  const cancel = (id: string, fault: string) =>
    void work(id, 'cancel', () => api.inbox.cancelScheduledMessage(id), fault)
  const retry = (id: string) =>
    void work(id, 'retry', () => api.inbox.retryScheduledMessage(id), 'Could not send the message again')
  return (
    <>
      {failed.length > 0 && (
        <ul className={classes.scheduled} aria-label="Scheduled messages that were not sent">
          {failed.map((each) => (
            <li key={each.id}>
              <Group gap="xs" wrap="nowrap">
                <IconAlertTriangle size={14} color="var(--mantine-color-red-7)" aria-hidden />
                <div className={classes.scheduledText}>
                  <Text size="sm" truncate dir="auto">
                    {textOf(each) || 'Message'}
                  </Text>
                  <Text size="xs" c="dimmed">
                    Not sent on {timeText(new Date(each.send_at))}. {each.error?.message}
                  </Text>
                </div>
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={working.get(each.id) === 'retry'}
                  disabled={working.has(each.id)}
                  onClick={() => retry(each.id)}
                >
                  Try again
                </Button>
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  loading={working.get(each.id) === 'cancel'}
                  disabled={working.has(each.id)}
                  onClick={() => cancel(each.id, 'Could not discard the message')}
                >
                  Discard
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {waiting.length > 0 && (
        <ul className={classes.scheduled} aria-label="Scheduled messages">
          {waiting.map((each) => (
            <li key={each.id}>
              <Group gap="xs" wrap="nowrap">
                <IconClock size={14} aria-hidden />
                <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                  {timeText(new Date(each.send_at))}
                </Text>
                <Text size="sm" truncate flex={1} dir="auto">
                  {textOf(each) || 'Message'}
                </Text>
                <Tooltip label="Edit this message">
                  <ActionIcon
                    size="sm"
                    variant="subtle"
                    color="gray"
                    disabled={working.has(each.id)}
                    onClick={() => setEditing(each)}
                    aria-label="Edit this message"
                  >
                    <IconPencil size={14} />
                  </ActionIcon>
                </Tooltip>
                <Tooltip label="Cancel this message">
                  <ActionIcon
                    size="sm"
                    variant="subtle"
                    color="gray"
                    loading={working.has(each.id)}
                    onClick={() => cancel(each.id, 'Could not cancel the message')}
                    aria-label="Cancel this message"
                  >
                    <IconX size={14} />
                  </ActionIcon>
                </Tooltip>
              </Group>
            </li>
          ))}
        </ul>
      )}
      <Modal opened={editing !== undefined} onClose={() => setEditing(undefined)} title="Edit scheduled message">
        {shown && <EditForm ticket={ticket} scheduled={shown} close={() => setEditing(undefined)} />}
      </Modal>
    </>
  )
}

function EditForm({ ticket, scheduled, close }: { ticket: Ticket; scheduled: Scheduled; close(): void }) {
  const before = { body: textOf(scheduled), send_at: fieldValue(new Date(scheduled.send_at)) }
  const form = useApiForm({
    initialValues: before,
    async submit({ body, send_at }) {
      // The field has no seconds: an unchanged time could be in the past already.
      const changes = {
        ...(body !== before.body && { body: body.trim() }),
        ...(send_at !== before.send_at && { send_at: new Date(send_at).toISOString() }),
      }
      if (Object.keys(changes).length > 0) await api.inbox.updateScheduledMessage(scheduled.id, changes)
      close()
    },
    fieldOf: ([, field]) => field,
    check: ({ send_at }): Record<string, string> =>
      send_at !== before.send_at && !(Date.parse(send_at) > Date.now())
        ? { send_at: 'Choose a time in the future' }
        : {},
  })
  return (
    <DialogForm form={form} action="Save" cancel={close}>
      {hasText(scheduled) && (
        <Textarea label="Text" autosize minRows={2} maxRows={8} dir="auto" data-autofocus {...form.field('body')} />
      )}
      <TimeField ticket={ticket} {...form.control('send_at')} />
    </DialogForm>
  )
}
