import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendarTime, IconChevronUp, IconClock } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { api } from '../../data/api.ts'
import { showDone, showFault } from '../../ui/undo.tsx'
import type { Ticket } from './tickets.ts'
import { timeText } from './time-text.ts'

function tomorrowMorning(): Date {
  const at = new Date()
  at.setDate(at.getDate() + 1)
  at.setHours(9, 0, 0, 0)
  return at
}

/** What a `datetime-local` field holds, in the viewer's time zone. */
export const fieldValue = (at: Date) =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** Sends the text later. */
export function SendLater({
  ticket,
  text,
  quotedId,
  savedReplyId,
  disabled,
  isOvertaken,
  onDone,
  onUndone,
}: {
  ticket: Ticket
  text: string
  /** The platform's id of the message that it replies to. */
  quotedId: string | undefined
  savedReplyId: string | undefined
  disabled: boolean
  /** Asked before the message is scheduled: true keeps it in the composer. */
  isOvertaken(): boolean
  onDone(): void
  onUndone(): void
}) {
  const [isChoosing, choosing] = useDisclosure()
  const message = {
    body: text.trim(),
    ...(quotedId && { context_message_id: quotedId }),
    ...(savedReplyId && { saved_reply_id: savedReplyId }),
  }

  async function scheduleFor(time: Date) {
    if (isOvertaken()) return
    try {
      const { id } = await api.inbox.scheduleMessage(ticket.id, { ...message, send_at: time.toISOString() })
      onDone()
      showDone(`Message scheduled for ${timeText(time)}`, async () => {
        await api.inbox.cancelScheduledMessage(id)
        onUndone()
      })
    } catch (error) {
      showFault(error, 'Could not schedule the message')
    }
  }
  const at = (time: Date) => void scheduleFor(time)

  return (
    <>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon size="lg" variant="default" disabled={disabled} aria-label="Send later">
            <IconChevronUp size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconClock size={14} />} onClick={() => at(new Date(Date.now() + 3_600_000))}>
            In one hour
          </Menu.Item>
          <Menu.Item
            leftSection={<IconClock size={14} />}
            rightSection={
              <Text span size="xs" c="dimmed">
                {timeText(tomorrowMorning())}
              </Text>
            }
            onClick={() => at(tomorrowMorning())}
          >
            Tomorrow morning
          </Menu.Item>
          <Menu.Item leftSection={<IconCalendarTime size={14} />} onClick={choosing.open}>
            Choose a time
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isChoosing} onClose={choosing.close} title="Send later">
        <TimeForm
          ticket={ticket}
          submit={(time) => {
            choosing.close()
            at(time)
          }}
        />
      </Modal>
    </>
  )
}

function TimeForm({ ticket, submit }: { ticket: Ticket; submit(time: Date): void }) {
  const [value, setValue] = useState(() => fieldValue(tomorrowMorning()))
  const time = new Date(value)
  const isValid = time.getTime() > Date.now()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // The composer, whose form contains this one in the React tree, would send its text too.
    event.stopPropagation()
    if (isValid) submit(time)
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TimeField
          ticket={ticket}
          value={value}
          onChange={setValue}
          error={isValid ? undefined : 'Choose a time in the future'}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={!isValid}>
            Schedule
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** When to send a message, in the viewer's time zone. Says if the reply window is closed by then. */
export function TimeField({
  ticket: { window_expires_at },
  value,
  onChange,
  error,
}: {
  ticket: Ticket
  value: string
  onChange(value: string): void
  error: string | undefined
}) {
  const closesBefore = window_expires_at !== null && Date.parse(window_expires_at) < Date.parse(value)
  return (
    <>
      <TextInput
        type="datetime-local"
        label="Date and time"
        value={value}
        min={fieldValue(new Date())}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        data-autofocus
      />
      {closesBefore && (
        <Text size="sm" c="dimmed">
          The reply window closes before that. The message is sent only if the customer writes again by then.
        </Text>
      )}
    </>
  )
}
