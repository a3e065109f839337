import { Highlight, Text } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { Face } from './face.tsx'
import classes from './inbox.module.css'
import { ShortMoment } from './short-moment.tsx'
import { nameOf, type Ticket } from './tickets.ts'

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
  return (
    <Highlight component="span" highlight={search.trim()} inherit>
      {match.direction === 'outbound' ? `You: ${match.excerpt}` : match.excerpt}
    </Highlight>
  )
}

export const TicketRow = memo(function TicketRow({
  ticket,
  isSelected,
  suffix,
  search,
  assignee,
}: {
  ticket: Ticket
  isSelected: boolean
  suffix: string
  /** What the list is searched for. */
  search: string
  /** The name of the assignee, looked up once for all rows. */
  assignee: string | undefined
}) {
  const name = nameOf(ticket)
  const isUnread = ticket.unread_count > 0
  const isFailed = ticket.last_message?.direction === 'outbound' && ticket.last_message.status === 'failed'
  return (
    <li>
      <Link
        to={`/inbox/${ticket.id}${suffix}`}
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
          {(ticket.status === 'closed' || ticket.ai_handling || assignee) && (
            <span className={classes.ticketFacts}>
              {ticket.status === 'closed' && <span>Closed</span>}
              {ticket.ai_handling && (
                <span className={classes.ai} title="AI replies">
                  <IconRobot size={12} /> AI
                </span>
              )}
              {assignee && (
                <Text span size="xs" truncate>
                  {assignee}
                </Text>
              )}
            </span>
          )}
        </span>
      </Link>
    </li>
  )
})
