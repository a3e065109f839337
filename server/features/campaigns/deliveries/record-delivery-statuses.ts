import type { TenantTx } from '../../../platform/database.ts'
import type { MessageStatus } from '../../inbox/receiving/record-statuses.ts'
import { checkCircuitBreaker } from './circuit-breaker.ts'
import { moveDeliveries } from './move-deliveries.ts'
import { matchDeliveries, statusOrder } from './move-queries.ts'

/**
 * Applies status webhooks to campaign deliveries, in any order and any number of times, and settles deliveries that are
 * `unknown`. Runs before the statuses are applied to messages: if a status arrives before the platform's answer to the
 * request, the message is created here.
 */
export async function recordDeliveryStatuses(tx: TenantTx, statuses: MessageStatus[]): Promise<void> {
  if (statuses.length === 0) return
  const furthest = new Map<string, MessageStatus>()
  for (const { position, id } of await matchDeliveries(tx, statuses)) {
    const status = statuses[position - 1] as MessageStatus
    const other = furthest.get(id)
    if (!other || rankOf(status) > rankOf(other)) furthest.set(id, status)
  }
  const moved = await moveDeliveries(
    tx,
    [...furthest].map(([deliveryId, { chatMessageId, status, at, error }]) => ({
      deliveryId,
      chatMessageId,
      status,
      at,
      error: status === 'failed' ? error : null,
    })),
  )
  const failed = moved.filter(({ status }) => status === 'failed')
  await checkCircuitBreaker(
    tx,
    failed.map(({ id: deliveryId, campaign_id: campaignId }) => ({ deliveryId, campaignId })),
  )
}

const rankOf = ({ status }: MessageStatus) => statusOrder.indexOf(status)
