import type { Database } from '../../../platform/database.ts'
import { findLostMessages } from '../messages/message-queries.ts'
import { failMessages, unknownOutcome } from './fail-messages.ts'

/**
 * Marks replies whose process died between sending the request and recording the response. Whether they were sent is
 * unknown, so they are not resent: they become `failed` with the code `unknown`, and a later status corrects them.
 */
export async function sweepLostMessages(database: Database, { mediaAddress }: { mediaAddress: string }): Promise<void> {
  const lost = await findLostMessages(database.forSystem())
  const byTenant = Map.groupBy(lost, ({ organization_id, livemode }) => `${organization_id} ${livemode}`)
  for (const messages of byTenant.values()) {
    const [{ organization_id: organizationId, livemode }] = messages as [(typeof messages)[0]]
    const failures = messages.map(({ id }) => ({ id, error: unknownOutcome }))
    await database.inTenant({ organizationId, livemode }, (tx) => failMessages(tx, failures, { mediaAddress }))
  }
}
