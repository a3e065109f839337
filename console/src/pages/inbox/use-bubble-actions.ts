import type { api as types } from '@frontdesk/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../data/api.ts'
import { may, useMe, useSession } from '../../data/session.tsx'
import type { NewOutgoing } from '../../records/messages/outbox.ts'
import type { ComposerHandle } from './composer.tsx'
import type { BubbleActions } from './message-actions.tsx'
import { mediaAddress } from './message-media.tsx'
import type { InteractiveContent } from './rich-content.tsx'
import type { ThreadHandle } from './thread-view.tsx'
import { putMessage } from './threads.ts'
import { complain } from './tickets.ts'
import type { useCustomer } from './use-customer.ts'

interface Props {
  post(messages: NewOutgoing[]): boolean
  simulateAs: ReturnType<typeof useCustomer>
  composer: RefObject<ComposerHandle | null>
  thread: RefObject<ThreadHandle | null>
  onQuote(message: types.Message): void
  onCustomerQuote(message: types.Message): void
}

/** What a member can do with a message of the thread, in test mode also as the customer. Stable: bubbles are memoized. */
export function useBubbleActions({ post, simulateAs, composer, thread, onQuote, onCustomerQuote }: Props) {
  const queries = useQueryClient()
  const { mode } = useSession()
  const mayReply = may(useMe(), 'inbox:write')
  const posting = useRef(post)
  useEffect(() => {
    posting.current = post
  })
  const [translated, setTranslated] = useState<ReadonlySet<string>>(new Set())
  const toggleTranslation = useCallback(
    ({ id }: types.Message) =>
      setTranslated((shown) => new Set(shown.has(id) ? [...shown].filter((each) => each !== id) : [...shown, id])),
    [],
  )
  const actions = useMemo<BubbleActions>(
    () => ({
      quote(message) {
        onQuote(message)
        composer.current?.focus()
      },
      react: (message, emoji) => void react(queries, mode, message, emoji),
      sendAgain: (message) =>
        void again(message).then(
          (copy) => posting.current([copy]),
          (error) => complain('The file is no longer available', error),
        ),
      showMessage: (id) => thread.current?.show(id),
      ...(mayReply && { translate: toggleTranslation, rate }),
      ...(mode === 'test' && {
        asCustomer: {
          quote: onCustomerQuote,
          react: (message, emoji) =>
            void simulateAs({
              type: 'reaction',
              message: { reaction: { message_id: message.chat_message_id, emoji } },
            }),
          tap: (message, title) =>
            void simulateAs({
              type: 'interactive',
              ...(title && { text: title }),
              message: { context: { id: message.chat_message_id } },
            }),
        },
      }),
    }),
    [queries, mode, simulateAs, composer, thread, onQuote, onCustomerQuote, mayReply, toggleTranslation],
  )
  return { actions, translated }
}

async function react(
  queries: ReturnType<typeof useQueryClient>,
  mode: string,
  message: types.Message,
  emoji: string,
): Promise<void> {
  try {
    putMessage(queries, mode, await api.inbox.reactToMessage(message.inbox_id as string, message.id, { emoji }))
  } catch (error) {
    complain('Could not send the reaction', error)
  }
}

/** The content of a failed message, for sending it again as a new one. */
async function again(message: types.Message): Promise<Pick<NewOutgoing, 'body' | 'file' | 'rich'>> {
  const { body, media_url, media_filename, media_mime_type, payload } = message
  if (payload?.type === 'interactive') {
    const { body: text, ...interactive } = payload.interactive as InteractiveContent
    return { body: text, rich: { body: text, interactive } }
  }
  if (payload?.type === 'location') return { body, rich: { location: payload.location as types.LocationMessage } }
  if (payload?.type === 'contacts') return { body, rich: { contacts: payload.contacts as types.ContactCard[] } }
  if (!media_url) return { body }
  const response = await fetch(mediaAddress(media_url))
  if (!response.ok) throw new Error(`The server responded with ${response.status}`)
  const file = new File([await response.blob()], media_filename ?? 'file', { type: media_mime_type ?? '' })
  return { body, file }
}

/** The event of the change brings the new rating into the thread. */
function rate({ id, inbox_id }: types.Message, feedback: types.NewFeedback | null): void {
  // An agent answers in a conversation.
  const ticketId = inbox_id as string
  const rated = feedback ? api.inbox.rateMessage(ticketId, id, feedback) : api.inbox.removeMessageRating(ticketId, id)
  Promise.resolve(rated).catch((error: unknown) => complain('Could not save the rating', error))
}
