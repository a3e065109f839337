import type { api as types } from '@frontdesk/sdk'
import {
  IconCornerUpLeft,
  IconDots,
  IconLanguage,
  IconMoodSmile,
  IconThumbDown,
  IconThumbUp,
} from '@tabler/icons-react'
import { type FocusEvent, type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import classes from './inbox.module.css'

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏']

export interface BubbleActions {
  quote(message: types.Message): void
  react(message: types.Message, emoji: string): void
  sendAgain(message: types.Message): void
  showMessage(id: string): void
  /** Shows or hides a translation below the message. */
  translate?(message: types.Message): void
  /** Rates an answer of an agent; null removes the rating. */
  rate?(message: types.Message, feedback: types.NewFeedback | null): void
  /** Only in test mode. */
  asCustomer?: {
    quote(message: types.Message): void
    react(message: types.Message, emoji: string): void
    /** Taps a choice of the message, or its only button. */
    tap(message: types.Message, title?: string): void
  }
}

interface Props {
  message: types.Message
  actions: BubbleActions
  isWindowOpen: boolean
  isTranslated: boolean
}

/**
 * The actions of a message, shown on hover and focus. Plain buttons instead of components, because a page has hundreds
 * of them.
 */
export function MessageActions({ message, actions, isWindowOpen, isTranslated }: Props) {
  const [opened, setOpened] = useState<'react' | 'customer' | 'rate'>()
  const { asCustomer, translate, rate } = actions
  const rating = message.feedback?.rating
  // WhatsApp has no ID for a message that it did not accept.
  if (!message.chat_message_id) return null
  const close = () => setOpened(undefined)
  const and = (act: () => void) => () => {
    close()
    act()
  }
  return (
    <div className={classes.actions} data-open={opened || undefined}>
      {isWindowOpen && (
        <>
          <Action label="Reply" onClick={() => actions.quote(message)}>
            <IconCornerUpLeft size={16} />
          </Action>
          <Action label="React" onClick={() => setOpened('react')} isExpanded={opened === 'react'}>
            <IconMoodSmile size={16} />
          </Action>
        </>
      )}
      {translate && message.direction === 'inbound' && message.body && (
        <Action label={isTranslated ? 'Hide the translation' : 'Translate'} onClick={() => translate(message)}>
          <IconLanguage size={16} />
        </Action>
      )}
      {rate && message.actor_type === 'ai' && (
        <>
          <Action
            label={rating === 'up' ? 'Remove the rating' : 'Good answer'}
            onClick={() => rate(message, rating === 'up' ? null : { rating: 'up' })}
          >
            <IconThumbUp size={16} />
          </Action>
          <Action
            label={rating === 'down' ? 'Change the rating' : 'Bad answer'}
            onClick={() => setOpened('rate')}
            isExpanded={opened === 'rate'}
          >
            <IconThumbDown size={16} />
          </Action>
        </>
      )}
      {asCustomer && (
        <Action label="As the customer" onClick={() => setOpened('customer')} isExpanded={opened === 'customer'}>
          <IconDots size={16} />
        </Action>
      )}
      {opened === 'react' && (
        <Palette label="React" onClose={close}>
          {emojis.map((emoji) => (
            <Emoji
              key={emoji}
              emoji={emoji}
              label={`React with ${emoji}`}
              onClick={and(() => actions.react(message, emoji))}
            />
          ))}
        </Palette>
      )}
      {opened === 'rate' && rate && (
        <Palette label="Bad answer" onClose={close}>
          <BadAnswer
            message={message}
            rate={(feedback) => {
              close()
              rate(message, feedback)
            }}
          />
        </Palette>
      )}
      {opened === 'customer' && asCustomer && (
        <Palette label="As the customer" onClose={close}>
          <button type="button" className={classes.choice} onClick={and(() => asCustomer.quote(message))}>
            Reply as customer
          </button>
          {emojis.slice(0, 3).map((emoji) => (
            <Emoji
              key={emoji}
              emoji={emoji}
              label={`Customer reacts with ${emoji}`}
              onClick={and(() => asCustomer.react(message, emoji))}
            />
          ))}
          <button type="button" className={classes.choice} onClick={and(() => asCustomer.react(message, ''))}>
            Remove reaction
          </button>
        </Palette>
      )}
    </div>
  )
}

interface ActionProps {
  label: string
  onClick(): void
  isExpanded?: boolean
  children: ReactNode
}

function Action({ label, onClick, isExpanded, children }: ActionProps) {
  return (
    <button
      type="button"
      className={classes.action}
      aria-label={label}
      title={label}
      aria-expanded={isExpanded}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

function Emoji({ emoji, label, onClick }: { emoji: string; label: string; onClick(): void }) {
  return (
    <button type="button" className={classes.emoji} aria-label={label} onClick={onClick}>
      {emoji}
    </button>
  )
}

interface BadAnswerProps {
  message: types.Message
  rate(feedback: types.NewFeedback | null): void
}

/** Rates an answer as bad, with a reason for colleagues. */
function BadAnswer({ message: { feedback }, rate }: BadAnswerProps) {
  const isRated = feedback?.rating === 'down'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    rate({ rating: 'down', ...(reason && { reason }) })
  }
  return (
    <form className={classes.badAnswer} onSubmit={submit}>
      <input
        name="reason"
        aria-label="What was wrong?"
        placeholder="What was wrong?"
        maxLength={1000}
        autoComplete="off"
        dir="auto"
        defaultValue={(isRated && feedback.reason) || ''}
      />
      <button type="submit" className={classes.choice}>
        {isRated ? 'Save' : 'Rate as bad'}
      </button>
      {isRated && (
        <button type="button" className={classes.choice} onClick={() => rate(null)}>
          Remove rating
        </button>
      )}
    </form>
  )
}

/** Outside of the component, so that a rendering does not take the focus back. */
const focusFirst = (element: HTMLElement | null) =>
  element?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })

/** Closes on blur and Escape. */
function Palette({ label, onClose, children }: { label: string; onClose(): void; children: ReactNode }) {
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: not form fields
    <div
      className={classes.palette}
      role="group"
      aria-label={label}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
      ref={focusFirst}
    >
      {children}
    </div>
  )
}
