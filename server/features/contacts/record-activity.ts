import type { TenantTx } from '../../platform/database.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import { insertActivity, touchContact } from './queries.ts'
import type { ActivityType } from './schema.ts'

/** Adds to the contact's timeline, in the transaction of whatever happened. */
export async function recordActivity(
  tx: TenantTx,
  {
    contactId,
    type,
    actor,
    payload = {},
  }: {
    contactId: string
    type: ActivityType
    actor: Actor
    payload?: Record<string, unknown>
  },
) {
  const activity = { id: newId(), contact_id: contactId, type, actor_type: actor.type, actor_id: actor.id, payload }
  const [recorded] = await Promise.all([insertActivity(tx, activity), touchContact(tx, contactId, type)])
  return recorded
}
