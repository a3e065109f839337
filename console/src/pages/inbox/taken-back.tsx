import { Button, CloseButton, Group, Text } from '@mantine/core'
import { IconListCheck, IconTemplate } from '@tabler/icons-react'
import type { NewOutgoing } from '../../records/messages/outbox.ts'
import { useLast } from '../../ui/use-last.ts'
import { removeTakenBack, type TakenBack, useTakenBack } from './drafts.ts'
import classes from './inbox.module.css'
import { InteractiveSender, valuesOf } from './interactive-sender.tsx'
import { TemplateSender } from './template-sender.tsx'
import type { Ticket } from './tickets.ts'

interface Props {
  ticket: Ticket
  /** Outside the reply window only templates can be sent, to a blocked contact nothing. */
  allows: 'all' | 'templates' | 'none'
  /** The one whose form is open. */
  openKey: string | undefined
  onOpen(key: string | undefined): void
  /** False if it was not sent: it then stays. */
  onSend(message: NewOutgoing): boolean
  /** Its buttons are gone: the keys that a member presses next must not be shortcuts. */
  onRemoved(): void
}

/** Whether a form can show all of the message. */
export const isEditable = ({ template, rich }: NewOutgoing): boolean =>
  template !== undefined || (rich !== undefined && valuesOf(rich) !== undefined)

/** Templates and messages with buttons that were taken back. */
export function TakenBackList({ ticket, allows, openKey, onOpen, onSend, onRemoved }: Props) {
  const messages = useTakenBack(ticket.id)
  const open = messages.find(({ key }) => key === openKey)
  const close = () => onOpen(undefined)
  const submit = (key: string, message: NewOutgoing): boolean => {
    // The second click of two: the form is still seen while it closes.
    if (!messages.some((each) => each.key === key)) return true
    const isSent = onSend(message)
    if (isSent) {
      close()
      remove(key)
    }
    return isSent
  }
  const remove = (key: string) => {
    removeTakenBack(ticket.id, key)
    onRemoved()
  }
  return (
    <>
      {messages.length > 0 && (
        <ul className={classes.scheduled} aria-label="Unsent messages">
          {messages.map(({ key, message }) => {
            const isAllowed = allows === 'all' || (allows === 'templates' && message.template !== undefined)
            const Icon = message.template ? IconTemplate : IconListCheck
            return (
              <li key={key}>
                <Group gap="xs" wrap="nowrap">
                  <Icon size={14} aria-hidden />
                  <Text size="sm" truncate flex={1} dir="auto" id={`unsent-${key}`}>
                    {message.body || 'Message'}
                  </Text>
                  <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                    Not sent
                  </Text>
                  {isEditable(message) && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={!isAllowed}
                      aria-describedby={`unsent-${key}`}
                      onClick={() => onOpen(key)}
                    >
                      Edit
                    </Button>
                  )}
                  <Button
                    size="compact-xs"
                    variant="default"
                    disabled={!isAllowed}
                    aria-describedby={`unsent-${key}`}
                    onClick={() => void submit(key, message)}
                  >
                    Send
                  </Button>
                  <CloseButton
                    size="sm"
                    aria-label="Discard this message"
                    aria-describedby={`unsent-${key}`}
                    onClick={() => remove(key)}
                  />
                </Group>
              </li>
            )
          })}
        </ul>
      )}
      <Forms ticket={ticket} open={open} close={close} submit={submit} />
    </>
  )
}

function Forms({
  ticket,
  open,
  close,
  submit,
}: {
  ticket: Ticket
  open: TakenBack | undefined
  close(): void
  submit(key: string, message: NewOutgoing): boolean
}) {
  const shown = useLast(open)
  if (!shown) return null
  const { key, message } = shown
  const { quoted, template, rich } = message
  const send = (changed: NewOutgoing) => submit(key, { ...changed, ...(quoted && { quoted }) })
  if (template)
    return (
      <TemplateSender
        key={key}
        opened={open !== undefined}
        onClose={close}
        ticket={ticket}
        start={template}
        onSend={send}
      />
    )
  return (
    <InteractiveSender
      key={key}
      opened={open !== undefined}
      onClose={close}
      start={rich && valuesOf(rich)}
      onSend={(changed) => void send(changed)}
    />
  )
}
