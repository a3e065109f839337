import type { TenantTx } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import { findPerson } from '../../contacts/find-person.ts'
import { exportPersonJob } from '../job-kinds.ts'
import type { PersonExport } from '../schema.ts'
import { insertExport } from './queries.ts'

export async function requestExport(tx: TenantTx, contactId: string, actor: Actor): Promise<PersonExport> {
  const { id } = found(await findPerson(tx, contactId), 'Contact')
  const requested = await insertExport(tx, newId(), id, actor)
  const { organizationId: organization_id, livemode } = tx.scope
  await tx.enqueue(exportPersonJob, { organization_id, livemode, export_id: requested.id })
  return requested
}
