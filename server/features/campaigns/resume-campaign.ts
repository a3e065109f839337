import type { TenantTx } from '../../platform/database.ts'
import { conflict, found } from '../../platform/errors.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { announce, campaignsChannel } from './announce.ts'
import { campaignResumed, campaignScheduled, campaignStarted } from './events.ts'
import { lockCampaign, markResumed, wakeChannel } from './queries.ts'
import { beginSending, checkReadiness } from './start-campaign.ts'

/** A campaign that had started returns to sending; one that had not returns to its schedule, or starts if it is due. */
export async function resumeCampaign(
  tx: TenantTx,
  id: string,
  deps: { chatConnections: ChatConnections },
): Promise<void> {
  const campaign = found(await lockCampaign(tx, id), 'Campaign')
  const { status, started_at, is_due, channel_id } = campaign
  if (status === 'sending') return
  if (status !== 'paused') throw conflict(`A campaign that is ${status} cannot be resumed`)
  const { template, obstacle } = await checkReadiness(tx, campaign, deps)
  if (obstacle) throw conflict(`The campaign cannot be resumed: ${obstacle.detail}`)
  await markResumed(tx, id)
  tx.signal(campaignsChannel)
  if (started_at !== null) {
    await wakeChannel(tx, channel_id)
    await announce(tx, campaignResumed, [id])
  } else if (is_due) {
    await beginSending(tx, id, template)
    await announce(tx, campaignStarted, [id])
  } else await announce(tx, campaignScheduled, [id])
}
