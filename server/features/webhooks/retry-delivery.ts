import type { TenantTx } from '../../platform/database.ts'
import { deliveriesChannel } from './deliveries-channel.ts'
import { retryDeliveryRow } from './delivery-queries.ts'
import { readDelivery } from './list-deliveries.ts'
import { makeEndpointDue } from './queries.ts'
import { requireEnabled } from './require-enabled.ts'
import type { WebhookDelivery } from './schema.ts'

/** Sends it again, whatever became of it before, with the whole schedule of retries ahead. */
export async function retryDelivery(tx: TenantTx, webhookId: string, id: string): Promise<WebhookDelivery> {
  await requireEnabled(tx, webhookId)
  await retryDeliveryRow(tx, webhookId, id)
  await makeEndpointDue(tx, webhookId)
  tx.signal(deliveriesChannel)
  return readDelivery(tx, webhookId, id)
}
