import type { Subscription } from '../../../platform/events.ts'
import { ticketClosed } from '../events.ts'
import { askForRatingJob } from '../jobs.ts'
import { findToAsk } from './queries.ts'

/** Enqueues a rating request for each closed ticket whose channel wants one. */
export const followClosings: Subscription = {
  name: 'rating-requests',
  types: [ticketClosed.type],
  async react(events, tx) {
    for (const { organization_id: organizationId, livemode, id: ticketId } of await findToAsk(tx, events))
      await tx.enqueue(askForRatingJob, { organizationId, livemode, ticketId }, { group: { id: organizationId } })
  },
}
