import type { TenantTx } from '../../../platform/database.ts'
import type { CampaignReply } from '../../inbox/receiving/link-replies.ts'
import { lockDeliveries } from './move-queries.ts'

/**
 * Records replies to campaign messages. A recipient counts once per campaign and once per button, however often and in
 * whatever order its replies arrive.
 */
export async function recordReplies(tx: TenantTx, replies: CampaignReply[]): Promise<void> {
  if (replies.length === 0) return
  const byDelivery = Map.groupBy(replies, ({ deliveryId }) => deliveryId)
  await Promise.all([
    lockDeliveries(tx, [...byDelivery.keys()]),
    updateReplied(
      tx,
      [...byDelivery].map(([deliveryId, own]) => ({
        deliveryId,
        at: own.map(({ at }) => at).sort()[0] as string,
        buttons: own.flatMap(({ button }) => button ?? []),
      })),
    ),
  ])
}

const updateReplied = (tx: TenantTx, rows: { deliveryId: string; at: string; buttons: string[] }[]) =>
  tx.run`
    update deliveries d set replied_at = least(d.replied_at, reply.at), updated_at = now(),
      tapped_buttons = nullif(array(
        select distinct label from unnest(d.tapped_buttons || array(select jsonb_array_elements_text(reply.buttons))) label
        order by label), '{}')
    from unnest(${rows.map(({ deliveryId }) => deliveryId)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[],
      ${rows.map(({ buttons }) => JSON.stringify(buttons))}::jsonb[]) reply (id, at, buttons)
    where d.id = any(${rows.map(({ deliveryId }) => deliveryId)}::uuid[]) and d.id = reply.id`
