import type { TenantTx } from '../../platform/database.ts'
import { announce } from './announce.ts'
import { campaignCompleted } from './events.ts'
import { markCompleted, tryLockCampaign } from './queries.ts'
import { failCampaign } from './start-campaign.ts'

/** Nothing is left to send. Receipts may still move the counts, and a person may still have some tried again. */
export async function completeCampaign(tx: TenantTx, id: string): Promise<void> {
  // Locked first, and looked at by a statement of its own: it sees what was committed while the lock was waited for.
  if ((await tryLockCampaign(tx, id)) && (await markCompleted(tx, id))) await announce(tx, campaignCompleted, [id])
}

/** It came to sending, and there is no template. */
export async function failWithoutTemplate(tx: TenantTx, id: string): Promise<void> {
  const campaign = await tryLockCampaign(tx, id)
  if (campaign?.status === 'sending' && campaign.template_name === null) await failCampaign(tx, id, 'no_template')
}
