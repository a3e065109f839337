import type { Subscription } from '../../../platform/events.ts'
import { contactBlocked, contactUnblocked } from '../../contacts/events.ts'
import { blockListJob } from '../jobs.ts'

/** Has the platform's block list follow that of the organization. */
export const followBlocks: Subscription = {
  name: 'inbox-blocks',
  types: [contactBlocked.type, contactUnblocked.type],
  async react(events, tx) {
    for (const { organization_id: organizationId, livemode, data } of events) {
      const contactId = (data.object as { id: string }).id
      await tx.enqueue(blockListJob, { organizationId, livemode, contactId }, { group: { id: organizationId } })
    }
  },
}
