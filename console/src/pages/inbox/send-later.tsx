import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp, IconCalendarTime, IconChevronUp, IconClock } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { api } from '../../data/api.ts'
import { showDone, showFault } from '../../ui/undo.tsx'
import type { Ticket } from './tickets.ts'

/** Long enough to notice a mistake. */
const undoSeconds = 8

const moment = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' })

function tomorrowMorning(): Date {
  const at = new Date()
  at.setDate(at.getDate() + 1)
  at.setHours(9, 0, 0, 0)
  return at
}

/** What a `datetime-local` field holds, in the viewer's time zone. */
const fieldValue = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** Sends the text later, or at once with some seconds to undo it. */
export function SendLater({
  ticket,
  text,
  quotedId,
  savedReplyId,
  disabled,
  holdsBack,
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
  holdsBack(): boolean
  onDone(): void
  onUndone(): void
}) {
  const [isChoosing, choosing] = useDisclosure()
  const message = {
    body: text.trim(),
    ...(quotedId && { context_message_id: quotedId }),
    ...(savedReplyId && { saved_reply_id: savedReplyId }),
  }

  async function schedule(when: { send_at: string } | { delay_seconds: number }, done: string) {
    if (holdsBack()) return
    try {
      const { id } = await api.inbox.scheduleMessage(ticket.id, { ...message, ...when })
      onDone()
      showDone(done, async () => {
        await api.inbox.cancelScheduledMessage(id)
        onUndone()
      })
    } catch (error) {
      showFault(error, 'Could not schedule the message')
    }
  }
  const at = (time: Date) =>
    void schedule({ send_at: time.toISOString() }, `Message scheduled for ${moment.format(time)}`)

  return (
    <>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon size="lg" variant="default" disabled={disabled} aria-label="Send later">
            <IconChevronUp size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconArrowBackUp size={14} />}
            onClick={() => void schedule({ delay_seconds: undoSeconds }, `Sending in ${undoSeconds} seconds`)}
          >
            Send with undo
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconClock size={14} />} onClick={() => at(new Date(Date.now() + 3_600_000))}>
            In one hour
          </Menu.Item>
          <Menu.Item leftSection={<IconClock size={14} />} onClick={() => at(tomorrowMorning())}>
            Tomorrow at {moment.format(tomorrowMorning()).replace(/^\S+\s/, '')}
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
  const closesBefore = ticket.window_expires_at !== null && Date.parse(ticket.window_expires_at) < time.getTime()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid) submit(time)
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          type="datetime-local"
          label="Date and time"
          value={value}
          min={fieldValue(new Date())}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={!isValid && 'Choose a time in the future'}
          data-autofocus
        />
        {closesBefore && (
          <Text size="sm" c="dimmed">
            The reply window closes before that. The message is sent only if the customer writes again by then.
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" disabled={!isValid}>
            Schedule
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
