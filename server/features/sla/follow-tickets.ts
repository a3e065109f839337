import type { RangeSubscription } from '../../platform/events.ts'
import { refreshTargetsJob } from './job-kinds.ts'
import { findHeldTickets, findMentionedTickets, followedTypes } from './target-queries.ts'

/** Has the targets of a ticket computed again when a message or a change of the ticket may have changed them. */
export const followTickets: RangeSubscription = {
  name: 'sla',
  types: followedTypes,
  maxEvents: 2_000,
  async processRange(range, tx) {
    const mentioned = await findMentionedTickets(tx, range)
    if (mentioned.length === 0) return
    const held = await findHeldTickets(tx, mentioned)
    await Promise.all(
      held.map(({ organization_id: organizationId, livemode, id: ticketId }) =>
        tx.enqueue(refreshTargetsJob, { organizationId, livemode, ticketId }, { group: { id: organizationId } }),
      ),
    )
  },
}
