import type { StoredEvent, Subscription } from '../../../platform/events.ts'
import { contactHandoff } from '../../contacts/events.ts'
import { messageReceived, ticketClosed, ticketReopened, ticketUpdated } from '../../inbox/events.ts'
import { assignTicketJob, assignWaitingJob } from './job-kinds.ts'
import { findMentionedTickets } from './queries.ts'

/**
 * Assigns tickets when a contact writes, is handed off or is passed to another team, and when a closed ticket makes a
 * member available.
 */
export const followTickets: Subscription = {
  name: 'assignment',
  types: [messageReceived, contactHandoff, ticketReopened, ticketUpdated, ticketClosed].map(({ type }) => type),
  async react(events, tx) {
    const mentioned = events.filter(mayNeedOwner).map(mentionedIn)
    const tickets = mentioned.length > 0 ? await findMentionedTickets(tx, mentioned) : []
    for (const { organization_id: organizationId, livemode, id: ticketId } of tickets)
      await tx.enqueue(assignTicketJob, { organizationId, livemode, ticketId }, { group: { id: organizationId } })
    // One of each organization: the job covers both modes.
    const freed = new Map(events.filter(makesRoom).map((event) => [event.organization_id, event.livemode]))
    for (const [organizationId, livemode] of freed)
      await tx.enqueue(assignWaitingJob, { organizationId, livemode }, { group: { id: organizationId } })
  },
}

const makesRoom = ({ type, data }: StoredEvent): boolean =>
  type === ticketClosed.type && (data.object as { team_id: string | null }).team_id !== null

/** Of the changes of a ticket, those of its team or assignee. */
function mayNeedOwner({ type, data }: StoredEvent): boolean {
  const previous = (data.previous ?? {}) as object
  return (
    type !== ticketClosed.type && (type !== ticketUpdated.type || 'team_id' in previous || 'assignee_id' in previous)
  )
}

function mentionedIn({ organization_id: organizationId, livemode, type, data }: StoredEvent) {
  const { id, inbox_id = null } = data.object as { id: string; inbox_id?: string | null }
  if (type === contactHandoff.type) return { organizationId, livemode, ticketId: null, contactId: id }
  return { organizationId, livemode, ticketId: type === messageReceived.type ? inbox_id : id, contactId: null }
}
