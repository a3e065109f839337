import type { Database, TenantScope } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { CarrierError, isOver } from '../../providers/telephony/contract.ts'
import type { Carriers } from './carriers.ts'
import type { TransferAnswer } from './conversation/contract.ts'

interface CarrierCallRef {
  channel_id: string | null
  call_id: string
  carrier_url: string | null
}

interface CarrierDependencies {
  database: Database
  carriers: Carriers
}

/** Undefined for a call that never reached a carrier. */
async function connect(
  { channel_id, call_id, carrier_url }: CarrierCallRef,
  scope: TenantScope,
  { database, carriers }: CarrierDependencies,
) {
  if (!channel_id || !call_id) return undefined
  const voice = await carriers.findVoiceAccount(database.forTenant(scope), channel_id)
  return { carrier: await carriers.of(scope, voice, carrier_url), number: voice.channel.phoneNumber }
}

/** Hangs up at the carrier. A call that never reached the carrier, or is already over there, counts as ended. */
export async function hangUpCall(call: CarrierCallRef, scope: TenantScope, deps: CarrierDependencies): Promise<void> {
  const connected = await connect(call, scope, deps)
  await connected?.carrier.endCall(call.call_id)
}

/** Whether the call goes on at the carrier. */
export async function isCallRunning(
  call: CarrierCallRef,
  scope: TenantScope,
  deps: CarrierDependencies,
): Promise<boolean> {
  const connected = await connect(call, scope, deps)
  const found = await connected?.carrier.findCall(call.call_id)
  return found !== undefined && !isOver(found.status)
}

/** Four hours: the default limit of carriers for a call. */
const longestTransferSeconds = 4 * 60 * 60

/** Asks the carrier to connect the caller to another number. Never rejects. */
export async function transferCall(
  call: CarrierCallRef,
  to: string,
  scope: TenantScope,
  { log, ...deps }: CarrierDependencies & { log: Log },
): Promise<TransferAnswer> {
  try {
    const connected = await connect(call, scope, deps)
    if (!connected) return { result: 'refused', message: 'The call has no carrier' }
    const { carrier, number: callerId } = connected
    await carrier.transferCall(call.call_id, { number: to, callerId, longestSeconds: longestTransferSeconds })
    return { result: 'accepted' }
  } catch (error) {
    log.warn({ err: error, carrierCallId: call.call_id }, 'calls: transfer failed')
    const isUnknown = error instanceof CarrierError && error.verdict === 'unknown'
    return {
      result: isUnknown ? 'unknown' : 'refused',
      message: error instanceof Error ? error.message : String(error),
    }
  }
}
