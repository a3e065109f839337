import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { deliveriesChannel } from './deliveries/channel.ts'
import { markDeleted } from './queries.ts'

/** No new requests are made; requests in flight may still arrive. */
export async function deleteWebhook(tx: TenantTx, id: string): Promise<void> {
  if (!(await markDeleted(tx, id))) throw notFound('Webhook')
  tx.signal(deliveriesChannel, id)
}
