import type { SystemTx } from '../../platform/database.ts'
import { callsChannel } from '../calls/signals.ts'
import { campaignsChannel } from '../campaigns/announce.ts'
import { credentialsChannel } from '../organizations/credentials/credential-cache.ts'
import { deliveriesChannel } from '../webhooks/deliveries/channel.ts'

/** Evicts cached credentials, and wakes the workers, which look again at what they may claim. */
export function announceWork(tx: SystemTx): void {
  for (const channel of [credentialsChannel, campaignsChannel, deliveriesChannel, callsChannel]) tx.signal(channel)
}
