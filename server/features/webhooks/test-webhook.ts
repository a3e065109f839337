import type { TenantTx } from '../../platform/database.ts'
import { emitAs } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { deliveriesChannel } from './deliveries/channel.ts'
import { type LogReader, readDelivery } from './deliveries/list-deliveries.ts'
import { addDelivery } from './deliveries/queries.ts'
import { ping } from './events.ts'
import { makeEndpointDue } from './queries.ts'
import { requireEnabled } from './require-enabled.ts'
import type { WebhookDelivery } from './schema.ts'

/** Sends a ping to this endpoint alone. It is signed, retried and logged like any other event. */
export async function testWebhook(tx: TenantTx, id: string, reader: LogReader): Promise<WebhookDelivery> {
  await requireEnabled(tx, id)
  const eventId = newId()
  await emitAs(tx, eventId, ping, { id, message: 'Test event from Frontdesk' })
  await addDelivery(tx, id, { id: eventId, type: ping.type })
  await makeEndpointDue(tx, id)
  tx.signal(deliveriesChannel)
  return readDelivery(tx, id, eventId, reader)
}
