import type { TenantTx } from '../../platform/database.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { ChatConnections } from '../channels/chat-connections.ts'
import { announce, campaignsChannel } from './announce.ts'
import { refillDeliveries } from './audience-queries.ts'
import { retryDeliveries } from './delivery-queries.ts'
import { campaignResumed } from './events.ts'
import { wordingOf } from './freeze-recipients.ts'
import { lockCampaign, markResumed, wakeChannel } from './queries.ts'
import { lookAhead } from './start-campaign.ts'

/** As many as one statement moves within its time limit, with room to spare. */
const stretch = 20_000

/**
 * A person decides that what failed, or what nobody knows the fate of, is tried again. Variables that could not be filled
 * are filled from what is known of the contacts now. Answers how many deliveries it concerns.
 */
export async function retryCampaign(
  tx: TenantTx,
  id: string,
  scope: 'failed' | 'unknown',
  deps: { chatConnections: ChatConnections },
): Promise<number> {
  const campaign = await lockCampaign(tx, id)
  if (!campaign) throw notFound('Campaign')
  const { status } = campaign
  if (status !== 'sending' && status !== 'paused' && status !== 'completed')
    throw conflict(`Deliveries of a campaign that is ${status} cannot be tried again`)
  const { obstacle } = await lookAhead(tx, campaign, deps)
  if (obstacle) throw conflict(`Nothing can be sent: ${obstacle.detail}`)
  let retried = scope === 'failed' ? await refillDeliveries(tx, id, wordingOf(campaign)) : 0
  for (let n = stretch; n === stretch; retried += n) ({ n } = await retryDeliveries(tx, id, scope, stretch))
  if (retried === 0 || status === 'paused') return retried
  await wakeChannel(tx, campaign.channel_id)
  tx.signal(campaignsChannel)
  if (status === 'completed') {
    await markResumed(tx, id)
    await announce(tx, campaignResumed, [id])
  }
  return retried
}
