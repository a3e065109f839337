import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { announce, campaignsChannel } from './announce.ts'
import { campaignDeleted } from './events.ts'
import { lockCampaign, markDeleted } from './queries.ts'

/**
 * It stops and is gone for everybody at once; its deliveries are removed by the workers, as soon as none of them is on its
 * way to the platform any more: what is being sent at this moment still becomes a message of its contact.
 */
export async function deleteCampaign(tx: TenantTx, id: string): Promise<void> {
  if (!(await lockCampaign(tx, id))) throw notFound('Campaign')
  await announce(tx, campaignDeleted, [id])
  await markDeleted(tx, id)
  tx.signal(campaignsChannel)
}
