import type { TenantTx } from '../../platform/database.ts'
import { type EventKind, emitMany } from '../../platform/events.ts'
import { findCampaigns } from './queries.ts'
import type { Campaign } from './schema.ts'

/** Wakes the workers when there is a campaign to start, to freeze, to send or to remove. */
export const campaignsChannel = 'campaigns'

/** Emits one event per campaign with its current state. */
export async function announce(tx: TenantTx, kind: EventKind<typeof Campaign>, ids: string[]): Promise<void> {
  if (ids.length > 0) await emitMany(tx, kind, await findCampaigns(tx, ids))
}
