import type { TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { activityCreated } from '../events.ts'
import { existing } from '../merging/existing-contact.ts'
import { lockContact } from '../queries.ts'
import { recordActivity } from './record-activity.ts'
import type { NewActivity } from './schema.ts'

/** An activity that a caller adds: it appears in the timeline and has no other effect, whatever its type. */
export async function addActivity(tx: TenantTx, contactId: string, input: NewActivity, actor: Actor) {
  await existing(tx, contactId, lockContact(tx, contactId))
  const { type, note, payload = {} } = input
  const activity = await recordActivity(tx, {
    contactId,
    type,
    actor,
    payload: note === undefined ? payload : { ...payload, note },
  })
  await emit(tx, activityCreated, activity)
  return activity
}
