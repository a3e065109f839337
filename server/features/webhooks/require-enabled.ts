import type { TenantTx } from '../../platform/database.ts'
import { conflict, found } from '../../platform/errors.ts'
import { lockWebhook, type WebhookRow } from './queries.ts'

/** Locks the row until the transaction ends, so that no other request can disable or change the webhook meanwhile. */
export async function requireEnabled(tx: TenantTx, id: string): Promise<WebhookRow> {
  const webhook = found(await lockWebhook(tx, id), 'Webhook')
  if (webhook.status === 'disabled') throw conflict('The webhook is disabled: enable it first')
  return webhook
}
