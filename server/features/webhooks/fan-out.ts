import type { EventKind, StretchSubscription } from '../../platform/events.ts'
import { deliveriesChannel } from './deliveries-channel.ts'
import { addDeliveriesOf, makeEndpointsDue } from './fan-out-queries.ts'

/** Times the endpoints of an organization, this is what one transaction adds. */
const most = 500

/** Every event becomes a delivery for each endpoint that wants it: once, because it commits with the place in the stream. */
export const fanOut = (kinds: EventKind[]): StretchSubscription => ({
  name: 'webhooks',
  most,
  async follow(stretch, tx) {
    const places = await addDeliveriesOf(tx, stretch, kinds)
    if (places.length === 0) return
    await makeEndpointsDue(tx, places)
    tx.signal(deliveriesChannel)
  },
})
