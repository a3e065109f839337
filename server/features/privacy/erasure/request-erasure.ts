import type { TenantTx } from '../../../platform/database.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import type { PersonalTable } from '../../../platform/personal-data.ts'
import { findPerson } from '../../contacts/find-person.ts'
import { erasePersonJob } from '../job-kinds.ts'
import type { Erasure } from '../schema.ts'
import { findObstacle } from './erase-person.ts'
import { findErasureOf, insertErasure } from './queries.ts'

/** Returns the contact's erasure if there is one already, so a repeated request starts no second one. */
export async function requestErasure(
  tx: TenantTx,
  contactId: string,
  { actor, tables }: { actor: Actor; tables: PersonalTable[] },
): Promise<Erasure> {
  const person = await findPerson(tx, contactId)
  const earlier = await findErasureOf(tx, contactId)
  if (!person && !earlier) throw notFound('Contact')
  const obstacle = person && (await findObstacle(tx, person, tables))
  if (obstacle) throw conflict(obstacle)
  const erasure = earlier ?? ((await insertErasure(tx, newId(), contactId, actor)) as Erasure)
  if (erasure.state !== 'completed') {
    const { organizationId: organization_id, livemode } = tx.scope
    await tx.enqueue(
      erasePersonJob,
      { organization_id, livemode, erasure_id: erasure.id },
      { singletonKey: erasure.id },
    )
  }
  return erasure
}
