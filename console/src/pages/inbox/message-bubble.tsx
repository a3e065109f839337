import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Button, Group, Menu, Popover, Tooltip, UnstyledButton } from '@mantine/core'
import { IconCornerUpLeft, IconDots, IconMoodSmile, IconRobot, IconSpeakerphone } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { Link } from 'react-router'
import { DeliveryTicks } from './delivery-ticks.tsx'
import { failureWords } from './failure-words.ts'
import classes from './inbox.module.css'
import { fileName, MessageMedia } from './message-media.tsx'

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏']

export interface BubbleActions {
  quote(message: types.Message): void
  react(message: types.Message, emoji: string): void
  sendAgain(message: types.Message): void
  showMessage(id: string): void
  /** Only in test mode. */
  asCustomer?: { quote(message: types.Message): void; react(message: types.Message, emoji: string): void }
}

interface Props {
  message: types.Message
  quoted: types.Message | undefined
  /** Whose number or account stands for the customer among the reactions. */
  sender: string
  senderName: string
  actions: BubbleActions
  isWindowOpen: boolean
}

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

/** One message. Thousands stand in a thread: it is drawn again only when it has changed. */
export const MessageBubble = memo(function MessageBubble(props: Props) {
  const { message, quoted, senderName, actions } = props
  const isOwn = message.direction === 'outbound'
  const at = new Date(message.created_at)
  return (
    <div className={classes.row} data-own={isOwn || undefined} data-message={message.id}>
      <div
        className={classes.bubble}
        data-own={isOwn || undefined}
        data-failed={message.status === 'failed' || undefined}
      >
        <span className="sr-only">{isOwn ? `${authorOf(message)}:` : `${senderName}:`}</span>
        {message.context_message_id && <Quote quoted={quoted} senderName={senderName} onShow={actions.showMessage} />}
        <MessageMedia message={message} />
        {message.body && (
          <div className={classes.body} dir="auto">
            {message.body}
          </div>
        )}
        <div className={classes.meta}>
          {isOwn && <Author message={message} />}
          <Tooltip label={exact.format(at)} openDelay={300}>
            <time dateTime={message.created_at}>{time.format(at)}</time>
          </Tooltip>
          {isOwn && <DeliveryTicks kind={message.status} />}
        </div>
        <Reactions {...props} />
      </div>
      <Actions {...props} />
      {message.error && <Failure message={message} onAgain={actions.sendAgain} />}
    </div>
  )
})

const authorOf = ({ actor_type }: types.Message) => (actor_type === 'ai' ? 'AI agent' : 'You')

function Author({ message }: { message: types.Message }) {
  const campaignId = message.payload?.campaign_id
  if (typeof campaignId === 'string')
    return (
      <Link to={`/campaigns/${campaignId}`} className={classes.author}>
        <IconSpeakerphone size={13} /> Campaign
      </Link>
    )
  if (message.payload?.template) return <span className={classes.author}>Template</span>
  if (message.actor_type !== 'ai') return null
  return (
    <span className={classes.author}>
      <IconRobot size={13} /> AI agent
    </span>
  )
}

export function Quote({
  quoted,
  senderName,
  onShow,
}: {
  quoted: types.Message | undefined
  senderName: string
  onShow?: (id: string) => void
}) {
  if (!quoted) return <div className={classes.quote}>An earlier message</div>
  const words = quoted.body || fileName(quoted)
  return (
    <UnstyledButton className={classes.quote} onClick={() => onShow?.(quoted.id)} disabled={!onShow}>
      <strong>{quoted.direction === 'outbound' ? authorOf(quoted) : senderName}</strong>
      <span dir="auto">{words}</span>
    </UnstyledButton>
  )
}

function Reactions({ message, sender, senderName, actions }: Props) {
  const reactions = Object.entries(message.reactions ?? {})
  if (reactions.length === 0) return null
  return (
    <div className={classes.reactions}>
      {reactions.map(([from, emoji]) => {
        // People who show no number are known by their account.
        const isTheirs = sender ? from === sender : !from.startsWith('+')
        const label = isTheirs ? `${senderName} reacted with ${emoji}` : `You reacted with ${emoji}`
        return (
          <Tooltip key={from} label={isTheirs ? senderName : 'You. Press to take it back'}>
            <UnstyledButton
              className={classes.reaction}
              aria-label={label}
              onClick={() => !isTheirs && actions.react(message, '')}
            >
              {emoji}
            </UnstyledButton>
          </Tooltip>
        )
      })}
    </div>
  )
}

/** What can be done with a message: seen when one points at it or comes by with the keyboard. */
function Actions({ message, actions, isWindowOpen }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { asCustomer } = actions
  // What the platform never took can be neither answered nor reacted to.
  if (!message.chat_message_id) return null
  return (
    <div className={classes.actions} data-open={isOpen || undefined}>
      {isWindowOpen && (
        <>
          <Tooltip label="Reply to this" openDelay={300}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label="Reply to this"
              onClick={() => actions.quote(message)}
            >
              <IconCornerUpLeft size={16} />
            </ActionIcon>
          </Tooltip>
          <EmojiChoice label="React" onChange={(emoji) => actions.react(message, emoji)} onOpen={setOpen} />
        </>
      )}
      {asCustomer && (
        <Menu onChange={setOpen} position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="sm" aria-label="As the customer">
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>As the customer (test mode)</Menu.Label>
            <Menu.Item onClick={() => asCustomer.quote(message)}>Reply to this</Menu.Item>
            {emojis.slice(0, 2).map((emoji) => (
              <Menu.Item key={emoji} onClick={() => asCustomer.react(message, emoji)}>
                React with {emoji}
              </Menu.Item>
            ))}
            <Menu.Item onClick={() => asCustomer.react(message, '')}>Take the reaction back</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}

function EmojiChoice({
  label,
  onChange,
  onOpen,
}: {
  label: string
  onChange(emoji: string): void
  onOpen(isOpen: boolean): void
}) {
  const [opened, setOpened] = useState(false)
  const open = (next: boolean) => {
    setOpened(next)
    onOpen(next)
  }
  return (
    <Popover opened={opened} onChange={open} position="top" trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Tooltip label={label} openDelay={300}>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={() => open(!opened)}>
            <IconMoodSmile size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <Group gap={2} wrap="nowrap">
          {emojis.map((emoji) => (
            <UnstyledButton
              key={emoji}
              className={classes.emoji}
              aria-label={`React with ${emoji}`}
              onClick={() => {
                onChange(emoji)
                open(false)
              }}
            >
              {emoji}
            </UnstyledButton>
          ))}
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

function Failure({ message, onAgain }: { message: types.Message; onAgain(message: types.Message): void }) {
  const { error } = message
  if (!error) return null
  return (
    <div className={classes.failure}>
      <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
        <span>
          <strong>{error.code === 'unknown' ? 'It may not have been sent.' : 'Not delivered.'}</strong>{' '}
          {failureWords(error)}
          {/^\d+$/.test(error.code) && <span className={classes.code}> Code {error.code}</span>}
        </span>
        {!message.payload?.template && (
          <Button size="compact-xs" variant="default" flex="none" onClick={() => onAgain(message)}>
            {error.code === 'unknown' ? 'Send anyway' : 'Send again'}
          </Button>
        )}
      </Group>
    </div>
  )
}
