import type { Subscription } from '../../../platform/events.ts'
import { contactBlocked, contactMerged, contactUnblocked } from '../../contacts/events.ts'
import type { Contact } from '../../contacts/schema.ts'
import { blockListJob } from '../jobs.ts'

/** Has the platform's block list follow that of the organization. A merge adds numbers to a blocked contact. */
export const followBlocks: Subscription = {
  name: 'inbox-blocks',
  types: [contactBlocked.type, contactUnblocked.type, contactMerged.type],
  async react(events, tx) {
    for (const { organization_id: organizationId, livemode, type, data } of events) {
      const { id: contactId, blocked_at } = data.object as Contact
      if (type === contactMerged.type && blocked_at === null) continue
      await tx.enqueue(blockListJob, { organizationId, livemode, contactId }, { group: { id: organizationId } })
    }
  },
}
