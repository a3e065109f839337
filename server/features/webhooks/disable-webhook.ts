import type { TenantTx } from '../../platform/database.ts'
import { type EventKind, emit } from '../../platform/events.ts'
import { describeWebhook } from './describe-webhook.ts'
import { webhookDisabled } from './events.ts'
import { disableEndpoint, findWebhook, lockWebhook, updateWebhookRow, type WebhookRow } from './queries.ts'

/** Disables a webhook whose endpoint is gone or has failed for too long. Does nothing if it is disabled or deleted. */
export async function disableWebhook(
  tx: TenantTx,
  id: string,
  reason: 'gone' | 'failing',
  eventKinds: EventKind[],
): Promise<void> {
  const webhook = await lockWebhook(tx, id)
  if (!webhook || webhook.status === 'disabled') return
  await updateWebhookRow(tx, { ...webhook, status: 'disabled', disabled_reason: reason }, { isStatusChange: true })
  await disableEndpoint(tx, id)
  const after = describeWebhook((await findWebhook(tx, id)) as WebhookRow, eventKinds)
  await emit(tx, webhookDisabled, after, { status: webhook.status })
}
