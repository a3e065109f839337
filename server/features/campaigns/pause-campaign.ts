import type { TenantTx } from '../../platform/database.ts'
import { conflict, found } from '../../platform/errors.ts'
import { announce } from './announce.ts'
import { campaignPaused, campaignUpdated } from './events.ts'
import { explainPauses, listOfChannel, listWithoutTemplate, lockCampaign, markPaused } from './queries.ts'
import type { Campaign, PauseReason } from './schema.ts'

interface Pause {
  reason: PauseReason
  detail: string | null
}

/** Messages in flight still go out; no others are marked in flight. Returns the ids of the campaigns that it paused. */
export async function pauseCampaigns(tx: TenantTx, ids: string[], pause: Pause): Promise<string[]> {
  if (ids.length === 0) return []
  const paused = (await markPaused(tx, ids, pause)).map(({ id }) => id)
  await announce(tx, campaignPaused, paused)
  return paused
}

/** Pauses the campaigns of a channel that have one of these statuses. */
export async function pauseChannel(
  tx: TenantTx,
  channelId: string,
  statuses: Campaign['status'][],
  pause: Pause,
): Promise<string[]> {
  const campaigns = await listOfChannel(tx, channelId, statuses)
  return pauseCampaigns(
    tx,
    campaigns.map(({ id }) => id),
    pause,
  )
}

/**
 * Pauses sending campaigns whose template was deleted: the platform no longer has it. A worker may pause one at the
 * same moment because the platform refused the template; that pause is explained afterwards, whichever comes first.
 */
export async function pauseWithoutTemplate(tx: TenantTx): Promise<string[]> {
  const pause = { reason: 'template_deleted', detail: 'The template was deleted' } as const
  const campaigns = await listWithoutTemplate(tx)
  const paused = await pauseCampaigns(
    tx,
    campaigns.map(({ id }) => id),
    pause,
  )
  const explained = await explainPauses(tx, pause)
  await announce(
    tx,
    campaignUpdated,
    explained.map(({ id }) => id),
  )
  return paused
}

/** A member or an API client pauses the campaign. */
export async function pauseCampaign(tx: TenantTx, id: string): Promise<void> {
  const campaign = found(await lockCampaign(tx, id), 'Campaign')
  if (campaign.status === 'paused') return
  if (campaign.status !== 'scheduled' && campaign.status !== 'sending')
    throw conflict(`A campaign that is ${campaign.status} cannot be paused`)
  await pauseCampaigns(tx, [id], { reason: 'user', detail: null })
}
