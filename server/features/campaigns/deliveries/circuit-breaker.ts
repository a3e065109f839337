import type { TenantTx } from '../../../platform/database.ts'
import { pauseCampaigns } from '../pause-campaign.ts'
import { findFailing, lockSending } from './breaker-queries.ts'

/** A message that the platform refused, or that failed after it was accepted. */
interface FailedSend {
  deliveryId: string
  campaignId: string
}

/**
 * The circuit breaker: pauses a campaign if 50 of 100 consecutive messages failed. A failure counts at the position of
 * its own message, however late its receipt arrives; a message with an unknown outcome does not count. Costs nothing
 * while no message fails.
 */
export async function checkCircuitBreaker(tx: TenantTx, failed: FailedSend[]): Promise<string[]> {
  if (failed.length === 0) return []
  // Lock first, judge in a second statement: its snapshot then includes the failures that other workers have just
  // recorded.
  const sending = await lockSending(tx, [...new Set(failed.map(({ campaignId }) => campaignId))])
  const ids = new Set(sending.map(({ id }) => id))
  const concerned = failed.filter(({ campaignId }) => ids.has(campaignId)).map(({ deliveryId }) => deliveryId)
  if (concerned.length === 0) return []
  const tripped = await findFailing(tx, concerned, { most: 50, of: 100 })
  return pauseCampaigns(
    tx,
    tripped.map(({ id }) => id),
    {
      reason: 'failure_rate',
      detail: 'At least 50 of the last 100 messages failed: look at the reasons before you resume it',
    },
  )
}
