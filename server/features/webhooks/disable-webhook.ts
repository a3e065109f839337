import type { TenantTx } from '../../platform/database.ts'
import { emit } from '../../platform/events.ts'
import { webhookDisabled } from './events.ts'
import { closeEndpoint, findWebhook, lockWebhook, updateWebhookRow } from './queries.ts'
import type { Webhook } from './schema.ts'

/** The endpoint is gone, or has failed for too long. Nothing happens where it is disabled or deleted already. */
export async function disableWebhook(tx: TenantTx, id: string, reason: 'gone' | 'failing'): Promise<void> {
  const webhook = await lockWebhook(tx, id)
  if (!webhook || webhook.status === 'disabled') return
  await updateWebhookRow(tx, { ...webhook, status: 'disabled', disabled_reason: reason }, { isTurned: true })
  await closeEndpoint(tx, id)
  await emit(tx, webhookDisabled, (await findWebhook(tx, id)) as Webhook, { status: webhook.status })
}
