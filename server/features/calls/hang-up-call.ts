import type { Database, TenantScope } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Carriers } from './carriers.ts'

interface CarrierCallRef {
  channel_id: string | null
  call_id: string
  carrier_url: string | null
}

/** Hangs up at the carrier. A call that never reached the carrier, or is already over there, counts as ended. */
export async function hangUpCall(
  { channel_id, call_id, carrier_url }: CarrierCallRef,
  scope: TenantScope,
  { database, carriers }: { database: Database; carriers: Carriers },
): Promise<void> {
  if (!channel_id || !call_id) return
  const voice = await carriers.findVoiceAccount(database.forTenant(scope), channel_id)
  const carrier = await carriers.of(scope, voice, carrier_url)
  await carrier.endCall(call_id)
}

/** Four hours: the default limit of carriers for a call. */
const longestTransferSeconds = 4 * 60 * 60

/** Returns whether the carrier accepted the transfer. If not, a person has to call back. */
export async function transferCall(
  { channel_id, call_id, carrier_url }: CarrierCallRef,
  to: string | undefined,
  scope: TenantScope,
  { database, carriers, log }: { database: Database; carriers: Carriers; log: Log },
): Promise<boolean> {
  if (!channel_id || !call_id || !to) return false
  try {
    const voice = await carriers.findVoiceAccount(database.forTenant(scope), channel_id)
    const carrier = await carriers.of(scope, voice, carrier_url)
    const longestSeconds = longestTransferSeconds
    await carrier.transferCall(call_id, { number: to, callerId: voice.channel.phoneNumber, longestSeconds })
    return true
  } catch (error) {
    log.warn({ err: error, carrierCallId: call_id }, 'calls: transfer failed')
    return false
  }
}
