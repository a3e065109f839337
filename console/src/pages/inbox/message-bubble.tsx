import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Popover } from '@mantine/core'
import { IconRobot, IconSpeakerphone, IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { Link } from 'react-router'
import { ChatText } from '../../records/templates/chat-text.tsx'
import { exactTimeOnHover } from '../../ui/moment.tsx'
import { timeOfDay } from '../../ui/time-of-day.ts'
import { DeliveryTicks } from './delivery-ticks.tsx'
import { failureText } from './failure-text.ts'
import classes from './inbox.module.css'
import { type BubbleActions, MessageActions } from './message-actions.tsx'
import { fileName, MessageMedia } from './message-media.tsx'
import { AdCard, questionOf, richContentOf } from './rich-content.tsx'
import { TemplateFiles } from './template-files.tsx'
import { Translation } from './translation.tsx'

interface Props {
  message: types.Message
  quoted: types.Message | undefined
  /** The number or account of the customer, as it appears in reactions. */
  sender: string
  senderName: string
  actions: BubbleActions
  isWindowOpen: boolean
  isTranslated: boolean
}

/** One message. A thread may have thousands, so it re-renders only when it changes. */
export const MessageBubble = memo(function MessageBubble(props: Props) {
  const { message, quoted, senderName, actions } = props
  const isOwn = message.direction === 'outbound'
  const at = new Date(message.created_at)
  const { asCustomer } = actions
  const rich = richContentOf(message, asCustomer && ((title) => asCustomer.tap(message, title)))
  return (
    <div className={classes.row} data-own={isOwn || undefined} data-message={message.id}>
      <div
        className={classes.bubble}
        data-own={isOwn || undefined}
        data-failed={message.status === 'failed' || undefined}
      >
        <span className="sr-only">{isOwn ? `${authorOf(message)}:` : `${senderName}:`}</span>
        {message.context_message_id && <Quote quoted={quoted} senderName={senderName} onShow={actions.showMessage} />}
        <AdCard payload={message.payload} />
        <MessageMedia message={message} />
        <TemplateFiles payload={message.payload} />
        {message.revoked && <div className={classes.revoked}>Deleted by the customer</div>}
        {rich}
        {message.body && !rich && (
          <div className={classes.body} dir="auto" data-revoked={message.revoked || undefined}>
            <ChatText text={message.body} />
          </div>
        )}
        {props.isTranslated && <Translation message={message} />}
        <div className={classes.meta}>
          {isOwn ? <Author message={message} /> : <span className={classes.author}>{tapOf(message)}</span>}
          {message.feedback && <Rating feedback={message.feedback} />}
          {message.edited_at && <Edited message={message} />}
          <time dateTime={message.created_at} {...exactTimeOnHover}>
            {timeOfDay(at)}
          </time>
          {isOwn && <DeliveryTicks kind={message.status} />}
        </div>
        <Reactions {...props} />
      </div>
      <MessageActions
        message={message}
        actions={actions}
        isWindowOpen={props.isWindowOpen}
        isTranslated={props.isTranslated}
      />
      {message.error && <Failure message={message} onAgain={actions.sendAgain} />}
    </div>
  )
})

/** Says that the customer tapped a button or a row, or filled in a form, instead of writing. */
function tapOf({ payload }: types.Message): string | undefined {
  if (payload?.type !== 'interactive' && payload?.type !== 'button') return undefined
  return (payload.interactive as { type?: string } | undefined)?.type === 'nfm_reply' ? 'Form' : 'Tapped'
}

const authorOf = ({ actor_type }: types.Message) =>
  actor_type === 'ai' ? 'AI agent' : actor_type === 'system' ? 'Automatic message' : 'You'

function Author({ message }: { message: types.Message }) {
  const campaignId = message.payload?.campaign_id
  if (typeof campaignId === 'string')
    return (
      <Link to={`/campaigns/${campaignId}`} className={classes.author}>
        <IconSpeakerphone size={13} /> Campaign
      </Link>
    )
  if (message.payload?.template) return <span className={classes.author}>Template</span>
  if (message.actor_type === 'system') return <span className={classes.author}>Automatic</span>
  if (message.actor_type !== 'ai') return null
  return (
    <span className={classes.author}>
      <IconRobot size={13} /> AI agent
    </span>
  )
}

function Rating({ feedback: { rating, reason } }: { feedback: types.MessageFeedback }) {
  const label = `Rated as a ${rating === 'up' ? 'good' : 'bad'} answer${reason ? `: ${reason}` : ''}`
  const Icon = rating === 'up' ? IconThumbUp : IconThumbDown
  return (
    <span className={classes.author} title={label}>
      <Icon size={13} aria-label={label} />
    </span>
  )
}

function Edited({ message }: { message: types.Message }) {
  const [isOpen, setOpen] = useState(false)
  if (message.edit_text_missing)
    return (
      <span className={classes.author} title="WhatsApp did not deliver the new text">
        Edited, new text missing
      </span>
    )
  return (
    <Popover opened={isOpen} onChange={setOpen} width={320} withArrow>
      <Popover.Target>
        <button type="button" className={classes.edited} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Edited
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <strong>Earlier versions</strong>
        {message.edit_history.map(({ body, written_at }) => (
          <div key={written_at + body} dir="auto">
            <ChatText text={body} />
          </div>
        ))}
      </Popover.Dropdown>
    </Popover>
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
  if (!quoted) return <div className={classes.quote}>Earlier message</div>
  const words = questionOf(quoted) || quoted.body || fileName(quoted)
  return (
    <button type="button" className={classes.quote} onClick={() => onShow?.(quoted.id)} disabled={!onShow}>
      <strong>{quoted.direction === 'outbound' ? authorOf(quoted) : senderName}</strong>
      <span dir="auto">{words}</span>
    </button>
  )
}

function Reactions({ message, sender, senderName, actions }: Props) {
  const reactions = Object.entries(message.reactions ?? {})
  if (reactions.length === 0) return null
  return (
    <div className={classes.reactions}>
      {reactions.map(([from, emoji]) => {
        // Customers without a visible number are identified by their account.
        const isTheirs = sender ? from === sender : !from.startsWith('+')
        const label = isTheirs ? `${senderName} reacted with ${emoji}` : `You reacted with ${emoji}`
        return (
          <button
            key={from}
            type="button"
            className={classes.reaction}
            aria-label={label}
            title={isTheirs ? senderName : 'You. Click to remove'}
            onClick={() => !isTheirs && actions.react(message, '')}
          >
            {emoji}
          </button>
        )
      })}
    </div>
  )
}

function Failure({ message, onAgain }: { message: types.Message; onAgain(message: types.Message): void }) {
  const { error } = message
  if (!error) return null
  return (
    <div className={classes.failure}>
      <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
        <span>
          <strong>{error.code === 'unknown' ? 'Possibly not sent.' : 'Not delivered.'}</strong> {failureText(error)}
          {/^\d+$/.test(error.code) && <span className={classes.code}> Code {error.code}</span>}
        </span>
        {!message.payload?.template && (
          <Button size="compact-xs" variant="default" flex="none" onClick={() => onAgain(message)}>
            {error.code === 'unknown' ? 'Send anyway' : 'Resend'}
          </Button>
        )}
      </Group>
    </div>
  )
}
