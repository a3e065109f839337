import type { TenantTx } from '../../platform/database.ts'
import { type EventKind, emitMany } from '../../platform/events.ts'
import { findCampaigns } from './queries.ts'
import type { Campaign } from './schema.ts'

/** Wakes the workers: there is something to start, to freeze or to send. */
export const campaignsChannel = 'campaigns'

/** Tells of what has become of these campaigns, as they stand now. */
export async function announce(tx: TenantTx, kind: EventKind<typeof Campaign>, ids: string[]): Promise<void> {
  if (ids.length > 0) await emitMany(tx, kind, await findCampaigns(tx, ids))
}
