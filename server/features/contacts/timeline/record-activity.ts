import type { TenantTx } from '../../../platform/database.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import { insertActivities, insertActivity, touchContact } from './queries.ts'
import type { ActivityType } from './schema.ts'

export interface ActivityToRecord {
  contactId: string
  type: ActivityType
  actor: Actor
  payload?: Record<string, unknown>
}

const toRow = ({ contactId, type, actor, payload = {} }: ActivityToRecord) => ({
  id: newId(),
  contact_id: contactId,
  type,
  actor_type: actor.type,
  actor_id: actor.id,
  payload,
})

/** Adds to the contact's timeline, in the transaction of the change. */
export async function recordActivity(tx: TenantTx, activity: ActivityToRecord) {
  const { contactId, type } = activity
  const [recorded] = await Promise.all([insertActivity(tx, toRow(activity)), touchContact(tx, contactId, type)])
  return recorded
}

/** The same for many contacts at once. */
export async function recordActivities(tx: TenantTx, activities: ActivityToRecord[]): Promise<void> {
  if (activities.length > 0) await insertActivities(tx, activities.map(toRow))
}
