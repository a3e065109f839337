import type { TenantTx } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { findBlock } from '../channels/health/read-account-health.ts'
import { linkLabelsOf } from '../templates/content/parts.ts'
import { findTemplate, whyNotSendable } from '../templates/find-template.ts'
import type { Template } from '../templates/schema.ts'
import { announce, campaignsChannel } from './announce.ts'
import { campaignFailed, campaignStarted } from './events.ts'
import { pauseCampaigns } from './pause-campaign.ts'
import { type CampaignState, markFailed, markStarted, tryLockCampaign } from './queries.ts'
import type { FailureReason, PauseReason } from './schema.ts'

/** Sets the campaign to sending with a copy of the template. Its recipients are frozen afterwards. */
export async function beginSending(tx: TenantTx, id: string, template: Template | undefined): Promise<CampaignState> {
  tx.signal(campaignsChannel)
  return markStarted(tx, id, template ? { ...template, hasLinks: linkLabelsOf(template.components).length > 0 } : null)
}

/** Starts a scheduled campaign by the database's clock. Does nothing if it is not due or was changed meanwhile. */
export async function startDueCampaign(
  tx: TenantTx,
  id: string,
  deps: { chatConnections: ChatConnections },
): Promise<void> {
  const campaign = await tryLockCampaign(tx, id)
  if (campaign?.status !== 'scheduled' || !campaign.is_due) return
  const { template, obstacle } = await checkReadiness(tx, campaign, deps)
  if (obstacle?.status === 'failed') return failCampaign(tx, id, obstacle.reason)
  if (obstacle?.status === 'paused') return void (await pauseCampaigns(tx, [id], obstacle))
  await beginSending(tx, id, template)
  await announce(tx, campaignStarted, [id])
}

/** The campaign is due and has no template or no channel. */
export async function failCampaign(tx: TenantTx, id: string, reason: FailureReason): Promise<void> {
  await markFailed(tx, id, reason)
  await announce(tx, campaignFailed, [id])
}

/** Why a campaign cannot be sent, and which status it gets for that. */
type Obstacle = { detail: string } & (
  | { status: 'failed'; reason: FailureReason }
  | { status: 'paused'; reason: PauseReason }
)

/** The template that the campaign would send now, or the reason why it cannot be sent. */
export async function checkReadiness(
  tx: TenantTx,
  { channel_id, template_id }: Pick<CampaignState, 'channel_id' | 'template_id'>,
  { chatConnections }: { chatConnections: ChatConnections },
): Promise<{ template?: Template; obstacle?: Obstacle }> {
  const template = template_id === null ? undefined : await findTemplate(tx, template_id)
  if (!template)
    return {
      obstacle: {
        status: 'failed',
        reason: 'no_template',
        detail: 'The campaign has no template, or its template was deleted',
      },
    }
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
  const block = await findBlock(tx, channel_id, new Date())
  if (block) return { obstacle: { status: 'paused', reason: 'account_blocked', detail: block } }
  const detail = whyNotSendable(template, businessAccountId)
  if (!detail) return { template }
  const reason = template.platform_status === 'PAUSED' ? 'template_paused' : 'template_unusable'
  return { obstacle: { status: 'paused', reason, detail } }
}
