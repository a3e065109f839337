import type { Database, TenantScope } from '../../../platform/database.ts'
import { isOver } from '../../../providers/telephony/contract.ts'
import type { Carriers } from '../carriers/carriers.ts'

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
  return carriers.of(scope, voice, carrier_url)
}

/** Hangs up at the carrier. A call that never reached the carrier, or is already over there, counts as ended. */
export async function hangUpCall(call: CarrierCallRef, scope: TenantScope, deps: CarrierDependencies): Promise<void> {
  const carrier = await connect(call, scope, deps)
  await carrier?.endCall(call.call_id)
}

/** Whether the call is still in progress at the carrier. */
export async function isCallRunning(
  call: CarrierCallRef,
  scope: TenantScope,
  deps: CarrierDependencies,
): Promise<boolean> {
  const carrier = await connect(call, scope, deps)
  const found = await carrier?.findCall(call.call_id)
  return found !== undefined && !isOver(found.status)
}
