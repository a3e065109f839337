import type { api as types } from '@frontdesk/sdk'
import { Button, Center, Loader, Skeleton, Text } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { Fragment, type ReactNode, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useMe } from '../../data/session.tsx'
import type { Outgoing } from '../../records/messages/outbox.ts'
import { errorText } from '../../ui/error-text.ts'
import { ErrorState } from '../../ui/states.tsx'
import { AssignmentStep, useAssignments } from './assignment-step.tsx'
import classes from './inbox.module.css'
import type { BubbleActions } from './message-actions.tsx'
import { MessageBubble } from './message-bubble.tsx'
import { NoteBubble } from './note-bubble.tsx'
import { useNotes } from './notes.ts'
import { OutgoingBubble } from './outgoing-bubble.tsx'
import { placeBetween } from './place-between.ts'
import { useSteadyScroll } from './steady-scroll.ts'
import { ThreadChunk } from './thread-chunk.tsx'
import type { useThread } from './threads.ts'

const chunkSize = 40

export interface ThreadHandle {
  show(messageId: string): void
}

interface Props {
  thread: ReturnType<typeof useThread>
  ticketId: string
  outgoing: Outgoing[]
  sender: string
  senderName: string
  isWindowOpen: boolean
  /** The unread count at the time of opening. */
  unseen: number
  actions: BubbleActions
  /** The messages whose translations are shown. */
  translated: ReadonlySet<string>
  onUndo(batch: string): void
  onRetry(key: string): void
  onDiscard(key: string): void
  /** Whether the newest message is visible. */
  onAtEnd(isAtEnd: boolean): void
  handle: React.Ref<ThreadHandle>
}

/** A conversation, newest at the bottom. Messages loaded above or below do not move the ones being read. */
export function ThreadView(props: Props) {
  const { thread, ticketId, outgoing, senderName, unseen, actions, handle } = props
  const notes = useNotes(ticketId)
  const assignments = useAssignments(ticketId)
  const { messages, total } = thread
  const me = useMe().user?.id
  const placed = useMemo(
    () => placeBetween([...notes, ...assignments], messages, thread.hasOlder),
    [notes, assignments, messages, thread.hasOlder],
  )
  const scroll = useSteadyScroll({
    firstId: messages[0]?.id,
    lastId: messages.at(-1)?.id,
    ids: messages,
    ownCount: outgoing.length + notes.filter(({ author_id }) => author_id === me).length,
    onTop: () => {
      if (thread.hasOlder && !thread.isLoadingOlder && !thread.olderError) void thread.loadOlder()
    },
    onAtEnd: props.onAtEnd,
  })
  const byPlatformId = useMemo(() => new Map(messages.map((each) => [each.chat_message_id, each])), [messages])
  const chunks = useMemo(() => chunksOf(messages, total), [messages, total])
  const firstUnseen = useFirstUnseen(messages, unseen)

  useImperativeHandle(handle, () => ({
    show(messageId) {
      const chunk = chunks.find(({ messages }) => messages.some(({ id }) => id === messageId))
      if (chunk) scroll.show(`[data-chunk="${chunk.key}"]`, `[data-message="${messageId}"]`)
    },
  }))

  if (thread.error) return <ErrorState error={thread.error} retry={thread.retry} />
  if (thread.isLoading) return <ThreadSkeleton />
  return (
    <div className={classes.threadFrame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard */}
      <div className={classes.thread} ref={scroll.box} role="log" aria-label="Messages" aria-live="off" tabIndex={0}>
        <div ref={scroll.content} className={classes.threadContent}>
          <Beginning thread={thread} />
          {chunks.map(({ key, messages }, i) => (
            <ThreadChunk key={key} name={key} root={scroll.box}>
              {() =>
                messages.map((message, j) => {
                  const before = messages[j - 1] ?? chunks[i - 1]?.messages.at(-1)
                  return (
                    <Fragment key={message.id}>
                      {placed.before.get(message.id)?.map((entry) => (
                        <Between key={entry.id} entry={entry} />
                      ))}
                      <DayLine at={message.created_at} before={before?.created_at} />
                      {message.id === firstUnseen && <Line isNew>New</Line>}
                      <MessageBubble
                        message={message}
                        quoted={message.context_message_id ? byPlatformId.get(message.context_message_id) : undefined}
                        sender={props.sender}
                        senderName={senderName}
                        isWindowOpen={props.isWindowOpen}
                        actions={actions}
                        isTranslated={props.translated.has(message.id)}
                      />
                    </Fragment>
                  )
                })
              }
            </ThreadChunk>
          ))}
          {messages.length === 0 && outgoing.length === 0 && notes.length === 0 && (
            <Center py="xl">
              <Text c="dimmed" size="sm">
                No messages yet.
              </Text>
            </Center>
          )}
          {placed.atEnd.map((entry) => (
            <Between key={entry.id} entry={entry} />
          ))}
          {outgoing.map((message, i) => (
            <OutgoingBubble
              key={message.key}
              message={message}
              senderName={senderName}
              isLastOfBatch={outgoing[i + 1]?.batch !== message.batch}
              onUndo={() => props.onUndo(message.batch)}
              onRetry={() => props.onRetry(message.key)}
              onDiscard={() => props.onDiscard(message.key)}
            />
          ))}
        </div>
      </div>
      {!scroll.isAtEnd && (
        <Button
          className={classes.toEnd}
          size="xs"
          radius="xl"
          variant={scroll.newCount > 0 ? 'filled' : 'default'}
          leftSection={<IconArrowDown size={14} />}
          onClick={scroll.toEnd}
        >
          {scroll.newCount > 0 ? `${scroll.newCount} new ${scroll.newCount === 1 ? 'message' : 'messages'}` : 'Newest'}
        </Button>
      )}
      <Announcer messages={messages} senderName={senderName} />
    </div>
  )
}

const Between = ({ entry }: { entry: types.Note | types.TicketAssignment }) =>
  'reason' in entry ? <AssignmentStep step={entry} /> : <NoteBubble note={entry} />

/** Chunks are cut at fixed positions, so that new messages do not move their borders. */
function chunksOf(messages: types.Message[], total: number): { key: number; messages: types.Message[] }[] {
  const first = Math.max(0, total - messages.length)
  const chunks = Map.groupBy(messages, (_, i) => Math.floor((first + i) / chunkSize))
  return [...chunks].map(([key, messages]) => ({ key, messages }))
}

/** The first unread message at the time of opening. It stays although the messages become read. */
function useFirstUnseen(messages: types.Message[], unseen: number): string | undefined {
  const found = useRef<string>(undefined)
  if (found.current === undefined && unseen > 0 && messages.length > 0)
    found.current = messages.filter(({ direction }) => direction === 'inbound').at(-unseen)?.id ?? ''
  return found.current
}

function Beginning({ thread }: { thread: Props['thread'] }) {
  if (thread.olderError)
    return (
      <Center h={44} style={{ gap: 8 }}>
        <Text size="xs">{errorText(thread.olderError)}</Text>
        <Button size="compact-xs" variant="default" onClick={() => void thread.loadOlder()}>
          Try again
        </Button>
      </Center>
    )
  return (
    <Center h={44}>
      {thread.hasOlder ? (
        <Loader size="xs" aria-label="Loading earlier messages" />
      ) : (
        <Text size="xs" c="dimmed">
          Start of the conversation
        </Text>
      )}
    </Center>
  )
}

function Line({ children, isNew }: { children: ReactNode; isNew?: boolean }) {
  return (
    <div className={classes.line} data-new={isNew || undefined}>
      <span>{children}</span>
    </div>
  )
}

const thisYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const otherYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

function DayLine({ at, before }: { at: string; before: string | undefined }) {
  const day = new Date(at)
  if (before && new Date(before).toDateString() === day.toDateString()) return null
  const now = new Date()
  const daysAgo = Math.round(
    (new Date(now.toDateString()).getTime() - new Date(day.toDateString()).getTime()) / 86_400_000,
  )
  if (daysAgo === 0) return <Line>Today</Line>
  if (daysAgo === 1) return <Line>Yesterday</Line>
  return <Line>{(day.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(day)}</Line>
}

/** Announces new messages to screen readers. */
function Announcer({ messages, senderName }: { messages: types.Message[]; senderName: string }) {
  const newest = messages.at(-1)
  const start = useRef(newest?.id)
  const [words, setWords] = useState('')
  useEffect(() => {
    if (!newest || newest.id === start.current || newest.direction !== 'inbound') return
    start.current = newest.id
    setWords(`${senderName}: ${newest.body || 'a file'}`)
  }, [newest, senderName])
  return (
    <div className="sr-only" role="status">
      {words}
    </div>
  )
}

function ThreadSkeleton() {
  return (
    <div className={classes.threadFrame} aria-hidden>
      <div className={classes.threadContent}>
        {[220, 140, 300, 180, 260].map((width, i) => (
          <div key={width} className={classes.row} data-own={i % 2 === 1 || undefined}>
            <Skeleton width={width} height={38} radius="lg" />
          </div>
        ))}
      </div>
    </div>
  )
}
