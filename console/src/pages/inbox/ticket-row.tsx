import { Highlight, Text } from '@mantine/core'
import { IconBellZ, IconHourglass, IconRobot } from '@tabler/icons-react'
import { type MouseEvent, memo } from 'react'
import { DueBadge } from '../../records/tickets/due-badge.tsx'
import { roughMinutes } from '../../ui/duration.ts'
import { useTextAt } from '../../ui/use-clock.ts'
import { Face } from './face.tsx'
import classes from './inbox.module.css'
import { lineAt } from './match-line.ts'
import { PriorityFact } from './priorities.tsx'
import { ShortMoment } from './short-moment.tsx'
import { nameOf, type Ticket } from './tickets.ts'
import { timeText } from './time-text.ts'

const kinds = { image: 'Image', video: 'Video', audio: 'Voice message', document: 'Document', text: '' }

/** A preview of the last message. */
function previewOf({ last_message }: Ticket): string {
  if (!last_message) return 'No messages yet'
  const { direction, message_type, preview, status, actor_type } = last_message
  const words = preview || kinds[message_type] || 'Message'
  if (direction === 'inbound') return words
  if (status === 'failed') return `Not sent: ${words}`
  return `${actor_type === 'ai' ? 'AI' : 'You'}: ${words}`
}

/** The line that matches the search. */
function Match({ ticket: { matched_message: match }, search }: { ticket: Ticket; search: string }) {
  if (!match) return null
  const line = lineAt(match.excerpt, search)
  return (
    <Highlight component="span" highlight={search.trim()} inherit>
      {match.direction === 'outbound' ? `You: ${line}` : line}
    </Highlight>
  )
}

export const TicketRow = memo(function TicketRow({
  ticket,
  place,
  total,
  gapPx,
  isSelected,
  suffix,
  search,
  assignee,
  isChecked,
  onOpen,
  onCheck,
}: {
  ticket: Ticket
  /** Its position among all conversations, from 1: screen readers cannot count rows that are not mounted. */
  place: number
  total: number
  /** The height of the rows above that are not mounted. */
  gapPx: number
  isSelected: boolean
  suffix: string
  /** What the list is searched for. */
  search: string
  /** The name of the assignee, looked up once for all rows. */
  assignee: string | undefined
  isChecked: boolean
  onOpen(id: string, matchedId: string | undefined): void
  onCheck?(id: string, isChecked: boolean): void
}) {
  const name = nameOf(ticket)
  const isUnread = ticket.unread_count > 0
  const isFailed = ticket.last_message?.direction === 'outbound' && ticket.last_message.status === 'failed'
  return (
    <li
      className={classes.ticketItem}
      style={gapPx > 0 ? { marginTop: gapPx } : undefined}
      aria-posinset={place}
      aria-setsize={total}
      data-row={ticket.id}
      data-checked={isChecked || undefined}
    >
      {onCheck && (
        <input
          type="checkbox"
          className={classes.ticketCheck}
          aria-label={`Select ${name}`}
          checked={isChecked}
          onChange={({ currentTarget }) => onCheck(ticket.id, currentTarget.checked)}
        />
      )}
      {/* Not a router link: those follow the address, so a thousand of them re-render on every navigation. */}
      <a
        href={`/inbox/${ticket.id}${suffix}`}
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          onOpen(ticket.id, ticket.matched_message?.id)
        }}
        className={classes.ticket}
        data-ticket={ticket.id}
        data-unread={isUnread || undefined}
        aria-current={isSelected ? 'true' : undefined}
      >
        <Face name={name} />
        <span className={classes.ticketWords}>
          <span className={classes.ticketTop}>
            <span className={classes.ticketName} dir="auto">
              {name}
            </span>
            <ShortMoment at={ticket.matched_message?.created_at ?? ticket.last_message_at ?? ticket.created_at} />
          </span>
          <span className={classes.ticketBottom}>
            <span className={classes.preview} data-failed={isFailed || undefined} dir="auto">
              {ticket.matched_message ? <Match ticket={ticket} search={search} /> : previewOf(ticket)}
            </span>
            {isUnread && (
              <span className={classes.unread}>
                {ticket.unread_count > 99 ? '99+' : ticket.unread_count}
                <span className="sr-only"> unread</span>
              </span>
            )}
          </span>
          <Facts ticket={ticket} assignee={assignee} />
        </span>
      </a>
    </li>
  )
})

/** The others open a tab or a window, or download the page. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/** What else matters about a conversation: who answers, since when the customer waits, how urgent it is. */
function Facts({ ticket, assignee }: { ticket: Ticket; assignee: string | undefined }) {
  const { status, answered_by, waiting_since, snoozed_until, priority, tags, sla_due_at, sla_target } = ticket
  const isAi = answered_by === 'ai' && status === 'open'
  // The due time of a reply says more than the wait.
  const isReplyDue = sla_due_at !== null && sla_target !== 'resolution'
  const isPlain = !isAi && !assignee && !waiting_since && !snoozed_until && !sla_due_at && !tags[0]
  if (status === 'open' && isPlain && priority === 'normal') return null
  return (
    <span className={classes.ticketFacts}>
      {status === 'closed' && <span>Closed</span>}
      <PriorityFact priority={priority} />
      {snoozed_until && (
        <span className={classes.fact}>
          <IconBellZ size={12} aria-hidden /> {timeText(new Date(snoozed_until))}
        </span>
      )}
      {waiting_since && !isReplyDue && <Waiting since={waiting_since} isAi={isAi} />}
      {isAi && (
        <span className={classes.ai} title="AI replies">
          <IconRobot size={12} /> AI
        </span>
      )}
      <DueBadge ticket={ticket} />
      {assignee && (
        <Text span size="xs" truncate>
          {assignee}
        </Text>
      )}
      {tags.map((tag) => (
        <span key={tag} className={classes.tag}>
          {tag}
        </span>
      ))}
    </span>
  )
}

/** An agent takes a while to answer. One that takes minutes may not answer at all. */
const agentTakesMs = 120_000

function Waiting({ since, isAi }: { since: string; isAi: boolean }) {
  const words = useTextAt((now) => {
    const ms = now - Date.parse(since)
    return isAi && ms < agentTakesMs ? '' : waitText(ms)
  })
  if (!words) return null
  return (
    <span className={classes.waiting}>
      <IconHourglass size={12} aria-hidden /> {words}
    </span>
  )
}

function waitText(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  return minutes < 1 ? 'Waiting' : `Waiting ${roughMinutes(minutes)}`
}
