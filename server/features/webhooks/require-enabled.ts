import type { TenantTx } from '../../platform/database.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { lockWebhook } from './queries.ts'

/** Held until the transaction ends, so that nobody disables it meanwhile. */
export async function requireEnabled(tx: TenantTx, id: string): Promise<void> {
  const webhook = await lockWebhook(tx, id)
  if (!webhook) throw notFound('Webhook')
  if (webhook.status === 'disabled') throw conflict('The webhook is disabled: enable it first')
}
