import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { CarrierError } from '../../../providers/telephony/contract.ts'
import type { Agents } from '../agents.ts'
import { hookPaths } from '../carriers/addresses.ts'
import { type Carriers, NoCallbackAddress, type OpenCarrier, type VoiceAccount } from '../carriers/carriers.ts'
import { finishCall } from '../ending/finish-call.ts'
import type { CallError } from '../schema.ts'
import { type CallToDial, markDialed, requeue, saveCarrierUrl } from './queries.ts'

export interface DialDependencies {
  database: Database
  agents: Agents
  carriers: Carriers
  log: Log
}

/** Typical ring time before people give up; voicemail usually answers earlier. */
const ringSeconds = 25
/** How late the carrier's callbacks may be. */
const callbackGraceSeconds = 60
const maxAttempts = 8

/**
 * Asks the carrier to place a claimed call, exactly once. If the carrier does not answer, it may have dialed: the call
 * stays `dialing` until a callback or the reaper settles it.
 */
export async function dialCall(scope: TenantScope, call: CallToDial, deps: DialDependencies): Promise<void> {
  const { database, log } = deps
  const ready = await prepare(scope, call, deps).catch((error) => error as Error)
  if (ready instanceof Error) return retryOrFail(scope, call, deps, ready)
  const { voice, open, agent } = ready
  const { callbackBase, carrier } = open
  const { id, channel_id } = call
  const { voicemail, max_duration_seconds } = agent.config.call_settings
  await saveCarrierUrl(database.forTenant(scope), id, open.carrierUrl)
  try {
    const placed = await carrier.placeCall({
      from: voice.channel.phoneNumber,
      to: call.to_number,
      answerUrl: callbackBase + hookPaths.answer(channel_id, id),
      statusUrl: callbackBase + hookPaths.status(channel_id, id),
      machineUrl: callbackBase + hookPaths.machine(channel_id, id),
      waitForGreeting: voicemail === 'leave_message',
      ringSeconds,
      longestSeconds: max_duration_seconds + callbackGraceSeconds,
      ...(!scope.livemode && { simulation: simulationOf(call) }),
    })
    const deadlineSeconds = ringSeconds + callbackGraceSeconds
    const stillRuns = await markDialed(database.forTenant(scope), id, { callId: placed.id, deadlineSeconds })
    // The call was ended while the request to the carrier was in flight.
    if (!stillRuns) await carrier.endCall(placed.id)
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    if (error.verdict !== 'unknown') return retryOrFail(scope, call, deps, error)
    log.warn(
      { call: id, code: error.code },
      'call dispatcher: carrier did not confirm the dial, waiting for its callbacks',
    )
  }
}

async function prepare(
  scope: TenantScope,
  call: CallToDial,
  { database, agents, carriers }: DialDependencies,
): Promise<{ voice: VoiceAccount; open: OpenCarrier; agent: NonNullable<Awaited<ReturnType<Agents['open']>>> }> {
  const sql = database.forTenant(scope)
  const voice = await carriers.findVoiceAccount(sql, call.channel_id)
  const agent = call.agent_id === null ? undefined : await agents.open(sql, call.agent_id)
  if (!agent?.isActive) throw new CarrierError('fail', 'no_agent', 'The agent was deleted or is inactive')
  return { voice, agent, open: await carriers.open(scope, voice) }
}

/** The carrier certainly did not dial. Requeues the call if a retry can help, otherwise fails it. */
async function retryOrFail(scope: TenantScope, call: CallToDial, { database }: DialDependencies, error: Error) {
  const known = error instanceof CarrierError ? error : undefined
  const isRetryable = known
    ? known.verdict === 'retry'
    : error instanceof NoCallbackAddress || !(error instanceof AppError)
  const callError: CallError = {
    code: known?.code ?? (error instanceof AppError ? 'not_configured' : 'unreachable'),
    message: error.message.slice(0, 500),
  }
  if (isRetryable && call.attempts < maxAttempts) {
    const afterMs = known?.retryAfterMs ?? Math.min(30_000, 500 * 2 ** call.attempts)
    await requeue(database.forTenant(scope), call.id, { afterMs, error: callError })
    return
  }
  await database.inTenant(scope, (tx) =>
    finishCall(tx, call.id, {
      status: 'failed',
      telephonyStatus: 'failed',
      endedReason: isRetryable ? 'carrier_unreachable' : 'carrier_refused',
      error: callError,
    }),
  )
}

/** Script and seed of the simulated caller. Never sent to a real carrier. */
function simulationOf({ id, metadata }: CallToDial): Record<string, string> {
  const { caller_script: script, seed } = metadata
  const lines = Array.isArray(script) ? script.filter((line) => typeof line === 'string') : undefined
  return {
    SimulationSeed: typeof seed === 'string' || typeof seed === 'number' ? String(seed) : id,
    ...(lines && { SimulationScript: JSON.stringify(lines) }),
  }
}
