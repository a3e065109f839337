import type { TenantTx } from '../../platform/database.ts'
import { conflict, found } from '../../platform/errors.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { announce, campaignsChannel } from './announce.ts'
import { refillDeliveries } from './audience-queries.ts'
import { retryDeliveries } from './deliveries/queries.ts'
import { campaignResumed } from './events.ts'
import { wordingOf } from './freeze-recipients.ts'
import { lockCampaign, markResumed, wakeChannel } from './queries.ts'
import { checkReadiness } from './start-campaign.ts'

/** Rows per statement, well within the statement timeout. */
const batchSize = 20_000

/**
 * A member retries failed or unknown deliveries. Missing variables are filled from the contacts as they are now.
 * Returns the number of deliveries.
 */
export async function retryCampaign(
  tx: TenantTx,
  id: string,
  scope: 'failed' | 'unknown',
  deps: { chatConnections: ChatConnections },
): Promise<number> {
  const campaign = found(await lockCampaign(tx, id), 'Campaign')
  const { status } = campaign
  if (status !== 'sending' && status !== 'paused' && status !== 'completed')
    throw conflict(`Deliveries of a campaign that is ${status} cannot be tried again`)
  const { obstacle } = await checkReadiness(tx, campaign, deps)
  if (obstacle) throw conflict(`Nothing can be sent: ${obstacle.detail}`)
  let retried = scope === 'failed' ? await refillDeliveries(tx, id, wordingOf(campaign)) : 0
  for (let n = batchSize; n === batchSize; retried += n) ({ n } = await retryDeliveries(tx, id, scope, batchSize))
  if (retried === 0 || status === 'paused') return retried
  await wakeChannel(tx, campaign.channel_id)
  tx.signal(campaignsChannel)
  if (status === 'completed') {
    await markResumed(tx, id)
    await announce(tx, campaignResumed, [id])
  }
  return retried
}
