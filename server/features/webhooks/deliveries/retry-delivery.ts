import type { TenantTx } from '../../../platform/database.ts'
import { conflict } from '../../../platform/errors.ts'
import { makeEndpointDue } from '../queries.ts'
import { readableTypes } from '../receivable-types.ts'
import { requireEnabled } from '../require-enabled.ts'
import type { WebhookDelivery } from '../schema.ts'
import { deliveriesChannel } from './channel.ts'
import { type LogReader, readDelivery } from './list-deliveries.ts'
import { retryDeliveryRow } from './queries.ts'

/** Sends a delivery again, whatever its status, from the start of the retry schedule. */
export async function retryDelivery(
  tx: TenantTx,
  webhookId: string,
  id: string,
  reader: LogReader,
): Promise<WebhookDelivery> {
  const { scopes } = await requireEnabled(tx, webhookId)
  const { event_type: type } = await readDelivery(tx, webhookId, id, reader)
  const mayReceive = readableTypes(scopes, reader.eventKinds)
  if (!mayReceive(type))
    throw conflict(
      `The credential that set up this webhook may not read ${type}: update its events with a credential that may`,
    )
  await retryDeliveryRow(tx, webhookId, id)
  await makeEndpointDue(tx, webhookId)
  tx.signal(deliveriesChannel)
  return readDelivery(tx, webhookId, id, reader)
}
