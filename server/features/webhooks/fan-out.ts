import type { EventKind, StretchSubscription } from '../../platform/events.ts'
import { deliveriesChannel } from './deliveries-channel.ts'
import { addDeliveriesOf, makeEndpointsDue } from './fan-out-queries.ts'

/** Events per transaction. One event becomes up to 200 deliveries, one per webhook of the organization. */
const most = 500

/**
 * Adds one delivery per event and subscribed webhook. Exactly once, because the deliveries commit together with the
 * position in the event stream.
 */
export const fanOut = (kinds: EventKind[]): StretchSubscription => ({
  name: 'webhooks',
  most,
  async follow(stretch, tx) {
    const endpoints = await addDeliveriesOf(tx, stretch, kinds)
    if (endpoints.length === 0) return
    await makeEndpointsDue(tx, endpoints)
    tx.signal(deliveriesChannel)
  },
})
