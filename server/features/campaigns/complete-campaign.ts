import type { TenantTx } from '../../platform/database.ts'
import { announce } from './announce.ts'
import { campaignCompleted } from './events.ts'
import { markCompleted, tryLockCampaign } from './queries.ts'
import { failCampaign } from './start-campaign.ts'

/** Completes a campaign with nothing left to send. Receipts and retries may still change its counts. */
export async function completeCampaign(tx: TenantTx, id: string): Promise<void> {
  // Lock first, check in a second statement: its snapshot then includes what was committed before the lock was granted.
  if ((await tryLockCampaign(tx, id)) && (await markCompleted(tx, id))) await announce(tx, campaignCompleted, [id])
}

/** A campaign that reached `sending` without a template fails. */
export async function failWithoutTemplate(tx: TenantTx, id: string): Promise<void> {
  const campaign = await tryLockCampaign(tx, id)
  if (campaign?.status === 'sending' && campaign.template_name === null) await failCampaign(tx, id, 'no_template')
}
