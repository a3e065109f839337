import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { announce, campaignsChannel } from './announce.ts'
import { campaignDeleted } from './events.ts'
import { lockCampaign, markDeleted } from './queries.ts'

/**
 * The campaign stops and is hidden at once. Workers remove its deliveries as soon as none is claimed: a message in
 * flight is still recorded for its contact.
 */
export async function deleteCampaign(tx: TenantTx, id: string): Promise<void> {
  if (!(await lockCampaign(tx, id))) throw notFound('Campaign')
  await announce(tx, campaignDeleted, [id])
  await markDeleted(tx, id)
  tx.signal(campaignsChannel)
}
