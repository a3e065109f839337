import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { checkEvents } from './check-events.ts'
import { checkUrl } from './check-url.ts'
import { deliveriesChannel } from './deliveries-channel.ts'
import { webhookDisabled } from './events.ts'
import { closeEndpoint, findWebhook, lockWebhook, openEndpoint, updateWebhookRow } from './queries.ts'
import type { Webhook, WebhookChanges } from './schema.ts'

/** Changes the members given. What waits for a disabled one goes on when it is enabled; what happens meanwhile is not kept for it. */
export async function updateWebhook(
  tx: TenantTx,
  id: string,
  { url, events, description, status }: WebhookChanges,
  { http, eventTypes }: { http: OutboundHttp; eventTypes: string[] },
): Promise<Webhook> {
  const before = await lockWebhook(tx, id)
  if (!before) throw notFound('Webhook')
  const isTurned = status !== undefined && status !== before.status
  const wanted: Webhook = {
    ...before,
    ...(url !== undefined && { url: checkUrl(url, http) }),
    ...(events !== undefined && { events: checkEvents(events, eventTypes) }),
    ...(description !== undefined && { description }),
    ...(isTurned && { status, disabled_reason: status === 'disabled' ? 'requested' : null }),
  }
  await updateWebhookRow(tx, wanted, { isTurned })
  if (isTurned) await (status === 'enabled' ? openEndpoint : closeEndpoint)(tx, id)
  const after = (await findWebhook(tx, id)) as Webhook
  if (isTurned && status === 'disabled') await emit(tx, webhookDisabled, after, { status: before.status })
  // Whoever delivers to it at this moment has the old address in hand.
  tx.signal(deliveriesChannel, id)
  return after
}
