import type { EventKind, RangeSubscription } from '../../../platform/events.ts'
import { deliveriesChannel } from './channel.ts'
import { addDeliveriesOf, makeEndpointsDue } from './fan-out-queries.ts'

/** Events per transaction. One event becomes up to 200 deliveries, one per webhook of the organization. */
const maxEvents = 500

/**
 * Adds one delivery per event and subscribed webhook. Exactly once, because the deliveries commit together with the
 * position in the event stream.
 */
export const fanOut = (kinds: EventKind[]): RangeSubscription => ({
  name: 'webhooks',
  maxEvents,
  async processRange(range, tx) {
    const endpoints = await addDeliveriesOf(tx, range, kinds)
    if (endpoints.length === 0) return
    await makeEndpointsDue(tx, endpoints)
    tx.signal(deliveriesChannel)
  },
})
