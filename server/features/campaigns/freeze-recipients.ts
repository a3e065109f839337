import type { TenantTx } from '../../platform/database.ts'
import { hasOtp } from '../templates/content/parts.ts'
import { fillingsOf } from '../templates/content/slots.ts'
import { campaignsChannel } from './announce.ts'
import { freezeBatch, type Wording } from './audience-queries.ts'
import { type CampaignState, markFrozen, saveFreezeCursor, tryLockCampaign, wakeChannel } from './queries.ts'

/** Contacts per transaction: a fraction of a second, so that the transactions of others need not wait for its WAL. */
const batchSize = 2_000

export const wordingOf = ({
  template_category,
  template_components,
  template_variables,
}: Pick<CampaignState, 'template_category' | 'template_components' | 'template_variables'>): Wording => ({
  fillings: fillingsOf(template_components ?? [], template_variables),
  isMarketing: template_category === 'MARKETING',
  needsNumber: hasOtp(template_components ?? []),
})

/** Freezes the next batch of recipients of a sending campaign; returns whether there are more. */
export async function freezeRecipients(tx: TenantTx, campaign: CampaignState, most = batchSize): Promise<boolean> {
  const started_at = campaign.started_at as string
  const { n, last } = await freezeBatch(tx, { ...campaign, started_at }, wordingOf(campaign), most)
  if (n === most && last !== null) {
    await saveFreezeCursor(tx, campaign.id, last)
    return true
  }
  await markFrozen(tx, campaign.id)
  await wakeChannel(tx, campaign.channel_id)
  tx.signal(campaignsChannel)
  return false
}

/** Freezes the next batch. Does nothing if another transaction has locked the campaign or it no longer sends. */
export async function continueFreezing(tx: TenantTx, id: string): Promise<void> {
  const campaign = await tryLockCampaign(tx, id)
  if (campaign?.status === 'sending' && campaign.frozen_at === null && campaign.template_name !== null)
    await freezeRecipients(tx, campaign)
}
