import type { TenantTx } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { ChatConnections } from '../channels/chat-connections.ts'
import { findTemplate, whyNotSendable } from '../templates/find-template.ts'
import type { Template } from '../templates/schema.ts'
import { announce, campaignsChannel } from './announce.ts'
import { campaignFailed, campaignStarted } from './events.ts'
import { pauseCampaigns } from './pause-campaign.ts'
import { type CampaignState, markFailed, markStarted, tryLockCampaign } from './queries.ts'
import type { FailureReason, PauseReason } from './schema.ts'

/** From now on it is sending, by the template as it is now. Its recipients are still to be frozen. */
export async function beginSending(tx: TenantTx, id: string, template: Template | undefined): Promise<CampaignState> {
  tx.signal(campaignsChannel)
  return markStarted(tx, id, template ?? null)
}

/** A scheduled campaign whose time has come, by the database's clock; nothing where it has not, or not any more. */
export async function startDueCampaign(
  tx: TenantTx,
  id: string,
  deps: { chatConnections: ChatConnections },
): Promise<void> {
  const campaign = await tryLockCampaign(tx, id)
  if (campaign?.status !== 'scheduled' || !campaign.is_due) return
  const { template, obstacle } = await lookAhead(tx, campaign, deps)
  if (obstacle?.status === 'failed') return failCampaign(tx, id, obstacle.reason)
  if (obstacle?.status === 'paused') return void (await pauseCampaigns(tx, [id], obstacle))
  await beginSending(tx, id, template)
  await announce(tx, campaignStarted, [id])
}

/** It comes to sending, and there is nothing to send or no way to. */
export async function failCampaign(tx: TenantTx, id: string, reason: FailureReason): Promise<void> {
  await markFailed(tx, id, reason)
  await announce(tx, campaignFailed, [id])
}

/** What keeps a campaign from being sent, what becomes of it for that, and why in words. */
export type Obstacle = { detail: string } & (
  | { status: 'failed'; reason: FailureReason }
  | { status: 'paused'; reason: PauseReason }
)

/** The template that a campaign would send as things stand now, or what keeps it from being sent. */
export async function lookAhead(
  tx: TenantTx,
  { channel_id, template_id }: Pick<CampaignState, 'channel_id' | 'template_id'>,
  { chatConnections }: { chatConnections: ChatConnections },
): Promise<{ template?: Template; obstacle?: Obstacle }> {
  const template = template_id === null ? undefined : await findTemplate(tx, template_id)
  if (!template)
    return { obstacle: { status: 'failed', reason: 'no_template', detail: 'It has no template, or no longer one' } }
  let businessAccountId: string
  try {
    businessAccountId = (await chatConnections.open(tx, channel_id)).businessAccountId
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const detail = error.status === 404 ? 'Its channel was deleted' : error.message
    return {
      obstacle:
        error.status === 404
          ? { status: 'failed', reason: 'no_channel', detail }
          : { status: 'paused', reason: 'channel_not_ready', detail },
    }
  }
  const detail = whyNotSendable(template, businessAccountId)
  if (!detail) return { template }
  const reason = template.platform_status === 'PAUSED' ? 'template_paused' : 'template_unusable'
  return { obstacle: { status: 'paused', reason, detail } }
}
