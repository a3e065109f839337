import type { api as types } from '@frontdesk/sdk'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../data/api.ts'
import { IfMay, may, useMe, useSession } from '../../data/session.tsx'
import { Composer, type ComposerHandle, hasDraft } from './composer.tsx'
import { ConversationHead } from './conversation-head.tsx'
import { CustomerBox } from './customer-box.tsx'
import { useDraftHelp } from './draft-help.tsx'
import { Handling } from './handling.tsx'
import classes from './inbox.module.css'
import type { BubbleActions } from './message-actions.tsx'
import { mediaAddress } from './message-media.tsx'
import { type NoteHandle, NoteWriter } from './note-writer.tsx'
import { discard, type NewOutgoing, retry, type Sent, send, useOutgoing } from './outbox.ts'
import type { InteractiveContent } from './rich-content.tsx'
import { ScheduledList } from './scheduled-list.tsx'
import { TemplateSender } from './template-sender.tsx'
import { type ThreadHandle, ThreadView } from './thread-view.tsx'
import { putMessage, threadKey, useThread } from './threads.ts'
import { complain, nameOf, patchTicket, type Ticket } from './tickets.ts'
import { useOvertaken } from './use-overtaken.ts'
import { usePresence } from './use-presence.ts'
import { type Match, useShownMatch } from './use-shown-match.ts'
import { WhoIsHere } from './who-is-here.tsx'
import { useIsWindowOpen, WindowNotice } from './window-notice.tsx'

interface Props {
  ticket: Ticket
  match: Match | undefined
  onBack(): void
  onShowContact(): void
  onChange(changes: types.TicketChanges): void
}

/** A conversation with its composer. */
export function Conversation({ ticket, match, onBack, onShowContact, onChange }: Props) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const thread = useThread(ticket.id)
  const { messages } = thread
  const [isNoting, setNoting] = useState(false)
  const outgoing = useOutgoing(ticket.id, messages)
  const isWindowOpen = useIsWindowOpen(ticket)
  const [quoted, setQuoted] = useState<types.Message>()
  const [customerQuotes, setCustomerQuotes] = useState<types.Message>()
  const [isAtEnd, setAtEnd] = useState(true)
  const [isTemplating, templating] = useDisclosure()
  // The unread count at the time of opening.
  const [unseen] = useState(ticket.unread_count)
  const view = useRef<ThreadHandle>(null)
  const writer = useRef<ComposerHandle>(null)
  const noteWriter = useRef<NoteHandle>(null)
  const senderName = nameOf(ticket)

  const shownMatch = useShownMatch(match, thread, view)
  useSeen(ticket, isAtEnd && !thread.isLoading && !shownMatch.isSeeking)

  const sent = useMemo<Sent>(
    () => ({
      onSent: (message) => putMessage(queries, mode, message),
      onRefused: (ticketId) => void queries.invalidateQueries({ queryKey: threadKey(mode, ticketId) }),
    }),
    [queries, mode],
  )
  const newest = messages.at(-1)?.id
  const post = (message: Omit<NewOutgoing, 'ticketId' | 'after'>) =>
    send({ ...message, ticketId: ticket.id, after: newest }, sent)

  const last = useRef(newest)
  useEffect(() => {
    last.current = newest
  })
  const simulateAs = useCustomer(ticket)
  const mayReply = may(useMe(), 'inbox:write')
  const [translated, setTranslated] = useState<ReadonlySet<string>>(new Set())
  const toggleTranslation = useCallback(
    ({ id }: types.Message) =>
      setTranslated((shown) => new Set(shown.has(id) ? [...shown].filter((each) => each !== id) : [...shown, id])),
    [],
  )
  const actions = useMemo<BubbleActions>(
    () => ({
      quote(message) {
        setQuoted(message)
        writer.current?.focus()
      },
      react: (message, emoji) => void react(queries, mode, message, emoji),
      sendAgain: (message) =>
        void again(message).then(
          (copy) => send({ ...copy, ticketId: message.inbox_id as string, after: last.current }, sent),
          (error) => complain('The file is no longer available', error),
        ),
      showMessage: (id) => view.current?.show(id),
      ...(mayReply && { translate: toggleTranslation, rate }),
      ...(mode === 'test' && {
        asCustomer: {
          quote: setCustomerQuotes,
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
    [queries, mode, sent, simulateAs, mayReply, toggleTranslation],
  )
  const { others, onTyping } = usePresence(ticket.id)
  const isOvertaken = useOvertaken(messages, thread.isLoading)
  const drop = useDrop(isWindowOpen && mayReply && !isNoting, (files) => writer.current?.attach(files))
  const write = (isNote: boolean) => {
    // At once: keys that follow before the next frame would be shortcuts instead of text.
    flushSync(() => setNoting(isNote))
    const field = isNote ? noteWriter : writer
    field.current?.focus()
  }
  const help = useDraftHelp({
    ticketId: ticket.id,
    mayReply: isWindowOpen && !isNoting,
    composer: writer,
    onNote: (text) => {
      write(true)
      noteWriter.current?.add(text)
    },
  })
  useHotkeys([
    ['r', () => write(false)],
    ['t', () => mayReply && write(true)],
  ])

  return (
    <section
      className={classes.conversation}
      aria-label={`Conversation with ${senderName}`}
      {...drop.handlers}
      {...shownMatch.handlers}
    >
      <ConversationHead ticket={ticket} onBack={onBack} onShowContact={onShowContact} onChange={onChange} />
      <ThreadView
        thread={thread}
        ticketId={ticket.id}
        outgoing={outgoing}
        sender={ticket.contact.phone_number}
        senderName={senderName}
        isWindowOpen={isWindowOpen}
        unseen={unseen}
        actions={actions}
        translated={translated}
        onRetry={(key) => retry(key, sent)}
        onDiscard={discard}
        onAtEnd={setAtEnd}
        handle={view}
      />
      <WhoIsHere others={others} />
      <IfMay scope="inbox:write">
        <Handling ticket={ticket} />
        <WriterTabs isNoting={isNoting} write={write}>
          {help.menu}
        </WriterTabs>
        {help.panel}
        {!isNoting && <ScheduledList ticket={ticket} />}
        {isNoting && <NoteWriter key={`note-${ticket.id}`} ticketId={ticket.id} handle={noteWriter} />}
        {!isNoting && !isWindowOpen && (
          <WindowNotice ticket={ticket} hasDraft={hasDraft(ticket.id)} onTemplate={templating.open} />
        )}
        <TemplateSender opened={isTemplating} onClose={templating.close} ticket={ticket} onSend={post} />
        {!isNoting && isWindowOpen && (
          <Composer
            key={ticket.id}
            ticket={ticket}
            quoted={quoted}
            onUnquote={() => setQuoted(undefined)}
            onSend={post}
            onEmptied={help.settle}
            onTyping={onTyping}
            holdsBack={isOvertaken}
            onTemplate={templating.open}
            handle={writer}
          />
        )}
        {mode === 'test' && (
          <CustomerBox
            key={`customer-${ticket.id}`}
            name={senderName}
            quoted={customerQuotes}
            onUnquote={() => setCustomerQuotes(undefined)}
            onWrite={simulateAs}
          />
        )}
      </IfMay>
      {drop.isOver && <div className={classes.drop}>Drop files to attach them</div>}
    </section>
  )
}

/** Chooses between a reply to the customer and a note for the team. */
function WriterTabs({
  isNoting,
  write,
  children,
}: {
  isNoting: boolean
  write(isNote: boolean): void
  children: ReactNode
}) {
  return (
    <div className={classes.writerTabs}>
      <div role="tablist" aria-label="What to write">
        {[false, true].map((isNote) => (
          <button
            key={String(isNote)}
            type="button"
            role="tab"
            aria-selected={isNoting === isNote}
            className={classes.writerTab}
            data-note={isNote || undefined}
            onClick={() => write(isNote)}
          >
            {isNote ? 'Note' : 'Reply'}
          </button>
        ))}
      </div>
      {children}
    </div>
  )
}

/** Marks the conversation as read while its newest message is visible. */
function useSeen(ticket: Ticket, isInSight: boolean): void {
  const queries = useQueryClient()
  const { mode } = useSession()
  const { id, unread_count } = ticket
  const mayMark = may(useMe(), 'inbox:write')
  const [isLooking, setLooking] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setLooking(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  useEffect(() => {
    if (!isLooking || !isInSight || unread_count === 0 || !mayMark) return
    patchTicket(queries, mode, id, { unread_count: 0 })
    // If this fails, the conversation stays unread until the list is refetched.
    api.inbox.readTicket(id).catch(() => queries.invalidateQueries({ queryKey: [mode, 'tickets'] }))
  }, [queries, mode, id, unread_count, isInSight, isLooking, mayMark])
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

/** Sends messages as the customer, in test mode. */
function useCustomer({ contact, chat_phone_number_id }: Ticket) {
  const contactRef = useRef({ contact, channel: chat_phone_number_id })
  useEffect(() => {
    contactRef.current = { contact, channel: chat_phone_number_id }
  })
  return useCallback(async (message: types.SimulatedMessage): Promise<boolean> => {
    const { contact, channel } = contactRef.current
    try {
      const who = contact.phone_number
        ? { from: contact.phone_number }
        : { user_id: (await api.contacts.get(contact.id)).whatsapp_user_id ?? '' }
      await api.simulator.simulateMessage({
        ...who,
        ...(contact.name && { name: contact.name }),
        ...(channel && { channel_id: channel }),
        ...message,
      })
      return true
    } catch (error) {
      complain('The simulator rejected the message', error)
      return false
    }
  }, [])
}

function useDrop(isEnabled: boolean, onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  const depth = useRef(0)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  const enter = (change: number) => (event: DragEvent) => {
    if (!isEnabled || !hasFiles(event)) return
    depth.current = Math.max(0, depth.current + change)
    setOver(depth.current > 0)
  }
  return {
    isOver,
    handlers: {
      onDragEnter: enter(1),
      onDragLeave: enter(-1),
      // Also where files are not accepted: the browser would otherwise navigate to the dropped file.
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = isEnabled ? 'copy' : 'none'
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        depth.current = 0
        setOver(false)
        if (isEnabled) onFiles([...event.dataTransfer.files])
      },
    },
  }
}

/** The event of the change brings the new rating into the thread. */
function rate({ id, inbox_id }: types.Message, feedback: types.NewFeedback | null): void {
  // An agent answers in a conversation.
  const ticketId = inbox_id as string
  const rated = feedback ? api.inbox.rateMessage(ticketId, id, feedback) : api.inbox.removeMessageRating(ticketId, id)
  Promise.resolve(rated).catch((error: unknown) => complain('Could not save the rating', error))
}
