import type { StoredEvent, Subscription } from '../../platform/events.ts'
import {
  messageFailed,
  messageReceived,
  messageSent,
  ticketClosed,
  ticketReopened,
  ticketUpdated,
} from '../inbox/events.ts'
import { refreshTargetsJob } from './job-kinds.ts'
import { findHeldTickets } from './target-queries.ts'

/** Has the targets of a ticket computed again when a message or a change of the ticket may have changed them. */
export const followTickets: Subscription = {
  name: 'sla',
  types: [messageReceived, messageSent, messageFailed, ticketClosed, ticketReopened, ticketUpdated].map(
    ({ type }) => type,
  ),
  async react(events, tx) {
    const mentioned = events.filter((event) => !isOwn(event)).flatMap(ticketIn)
    if (mentioned.length === 0) return
    for (const { organization_id: organizationId, livemode, id: ticketId } of await findHeldTickets(tx, mentioned))
      await tx.enqueue(refreshTargetsJob, { organizationId, livemode, ticketId }, { group: { id: organizationId } })
  },
}

/** `ticket.updated` for a new due time is this feature's own. */
function isOwn({ type, data }: StoredEvent): boolean {
  const changed = Object.keys((data.previous ?? {}) as object)
  return type === ticketUpdated.type && changed.length === 1 && changed[0] === 'sla_due_at'
}

function ticketIn({ organization_id: organizationId, livemode, type, data }: StoredEvent) {
  const object = data.object as { id: string; inbox_id?: string | null }
  const ticketId = type.startsWith('message.') ? object.inbox_id : object.id
  return ticketId ? [{ organizationId, livemode, ticketId }] : []
}
