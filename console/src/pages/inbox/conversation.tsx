import type { api as types } from '@frontdesk/sdk'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { IfMay, may, useMe, useSession } from '../../data/session.tsx'
import {
  discard,
  type NewOutgoing,
  type Outgoing,
  retry,
  type Sent,
  send,
  takeBack,
  useOutgoing,
} from '../../records/messages/outbox.ts'
import { BlockedNotice, useIsBlocked } from './blocked-notice.tsx'
import { Composer, type ComposerHandle } from './composer.tsx'
import { ConversationHead } from './conversation-head.tsx'
import { CustomerBox } from './customer-box.tsx'
import { useDraftHelp } from './draft-help.tsx'
import { hasDraft, keepTakenBack, putBack } from './drafts.ts'
import { Handling } from './handling.tsx'
import classes from './inbox.module.css'
import { type NoteHandle, NoteWriter } from './note-writer.tsx'
import { ScheduledList } from './scheduled-list.tsx'
import { isEditable, TakenBackList } from './taken-back.tsx'
import { TemplateSender } from './template-sender.tsx'
import { type ThreadHandle, ThreadView } from './thread-view.tsx'
import { putMessage, threadKey, useThread } from './threads.ts'
import { nameOf, type Ticket } from './tickets.ts'
import { useBubbleActions } from './use-bubble-actions.ts'
import { useCustomer } from './use-customer.ts'
import { useDrop } from './use-drop.ts'
import { useOvertaken } from './use-overtaken.ts'
import { usePresence } from './use-presence.ts'
import { useSeen } from './use-seen.ts'
import { type Match, useShownMatch } from './use-shown-match.ts'
import { WhoIsHere } from './who-is-here.tsx'
import { useIsWindowOpen, WindowNotice } from './window-notice.tsx'
import { WriterTabs } from './writer-tabs.tsx'

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
  const navigate = useNavigate()
  const thread = useThread(ticket.id)
  const { messages } = thread
  const [isNoting, setNoting] = useState(false)
  const outgoing = useOutgoing(ticket.id, messages)
  const isBlocked = useIsBlocked(ticket)
  const isWindowOpen = useIsWindowOpen(ticket) && !isBlocked
  const [quoted, setQuoted] = useState<types.Message>()
  const [customerQuotes, setCustomerQuotes] = useState<types.Message>()
  const [isAtEnd, setAtEnd] = useState(true)
  const [isTemplating, templating] = useDisclosure()
  const [openDraft, setOpenDraft] = useState<string>()
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
      openTicket: (ticketId) => void navigate(`/inbox/${ticketId}`),
    }),
    [queries, mode, navigate],
  )
  const newest = messages.at(-1)?.id
  const isOvertaken = useOvertaken(messages, thread.isLoading)
  /** False if another reply came first: what was written then stays, for the member to decide. */
  const post = (replies: NewOutgoing[]): boolean => {
    if (isOvertaken()) return false
    send(replies, { ticketId: ticket.id, contactId: ticket.contact_id, after: newest }, sent)
    return true
  }
  const held = [...new Set(outgoing.filter(({ state }) => state === 'held').map(({ batch }) => batch))]
  const restore = (batches: string[]): Outgoing[] => {
    const taken = batches.flatMap(takeBack)
    const hasForm = ({ template, rich }: Outgoing) => template !== undefined || rich !== undefined
    const written = taken.filter((each) => !hasForm(each))
    if (written[0]?.quoted) setQuoted(written[0].quoted)
    putBack(ticket.id, written)
    keepTakenBack(ticket.id, taken.filter(hasForm))
    return taken
  }
  // A colleague may reply while messages are held.
  useEffect(() => {
    if (held.length > 0 && isOvertaken()) restore(held)
  })

  const simulateAs = useCustomer(ticket)
  const mayReply = may(useMe(), 'inbox:write')
  const { actions, translated } = useBubbleActions({
    post,
    simulateAs,
    composer: writer,
    thread: view,
    onQuote: setQuoted,
    onCustomerQuote: setCustomerQuotes,
  })
  const { others, onTyping } = usePresence(ticket.id)
  const drop = useDrop(isWindowOpen && mayReply && !isNoting, (files) => writer.current?.attach(files))
  const write = (isNote: boolean) => {
    // At once: keys that follow before the next frame would be shortcuts instead of text.
    flushSync(() => setNoting(isNote))
    const field = isNote ? noteWriter : writer
    field.current?.focus()
  }
  const undo = (batch: string) => {
    const [taken] = restore([batch])
    write(false)
    if (taken && isEditable(taken)) setOpenDraft(taken.key)
  }
  const undoLast = () => {
    const last = held.at(-1)
    if (last) undo(last)
    return last !== undefined
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
        onUndo={undo}
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
        {!isNoting && (
          <TakenBackList
            key={`taken-back-${ticket.id}`}
            ticket={ticket}
            allows={isBlocked ? 'none' : isWindowOpen ? 'all' : 'templates'}
            openKey={openDraft}
            onOpen={setOpenDraft}
            onSend={(message) => post([message])}
            onRemoved={() => write(false)}
          />
        )}
        {isNoting && <NoteWriter key={`note-${ticket.id}`} ticketId={ticket.id} handle={noteWriter} />}
        {!isNoting && isBlocked && <BlockedNotice ticket={ticket} hasDraft={hasDraft(ticket.id)} />}
        {!isNoting && !isWindowOpen && !isBlocked && (
          <WindowNotice ticket={ticket} hasDraft={hasDraft(ticket.id)} onTemplate={templating.open} />
        )}
        <TemplateSender
          opened={isTemplating}
          onClose={templating.close}
          ticket={ticket}
          onSend={(message) => post([message])}
        />
        {!isNoting && isWindowOpen && (
          <Composer
            key={ticket.id}
            ticket={ticket}
            quoted={quoted}
            onUnquote={() => setQuoted(undefined)}
            onSend={post}
            onUndo={undoLast}
            onEmptied={help.settle}
            onTyping={onTyping}
            isOvertaken={isOvertaken}
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
