import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { CarrierError } from '../../../providers/telephony/contract.ts'
import { hookPaths } from '../addresses.ts'
import type { Agents } from '../agents.ts'
import { type Carriers, NobodyListens, type OpenCarrier, type VoiceLine } from '../carriers.ts'
import { finishCall } from '../finish-call.ts'
import type { CallError } from '../schema.ts'
import { type CallToDial, noteCarrier, noteDialed, putBack } from './queries.ts'

export interface DialDependencies {
  database: Database
  agents: Agents
  carriers: Carriers
  log: Log
}

/** As long as people let it ring; a machine answers before. */
const ringSeconds = 25
/** What the carrier may be late with its news. */
const patienceSeconds = 60
const mostAttempts = 8

/**
 * Asks the carrier for a claimed call, once. After its silence nobody knows whether it rings somewhere: the call stays
 * `dialing`, and its callbacks, or the reaper, say what became of it.
 */
export async function dialCall(scope: TenantScope, call: CallToDial, deps: DialDependencies): Promise<void> {
  const { database, log } = deps
  const ready = await prepare(scope, call, deps).catch((error) => error as Error)
  if (ready instanceof Error) return giveUpOrWait(scope, call, deps, ready)
  const { line, open, agent } = ready
  const { callbackBase, carrier } = open
  const { id, channel_id } = call
  const { voicemail, max_duration_seconds } = agent.config.call_settings
  await noteCarrier(database.forTenant(scope), id, open.carrierUrl)
  try {
    const placed = await carrier.placeCall({
      from: line.channel.phoneNumber,
      to: call.to_number,
      answerUrl: callbackBase + hookPaths.answer(channel_id, id),
      statusUrl: callbackBase + hookPaths.status(channel_id, id),
      machineUrl: callbackBase + hookPaths.machine(channel_id, id),
      waitForGreeting: voicemail === 'leave_message',
      ringSeconds,
      longestSeconds: max_duration_seconds + patienceSeconds,
      ...(!scope.livemode && { simulation: simulationOf(call) }),
    })
    const deadlineSeconds = ringSeconds + patienceSeconds
    const stillRuns = await noteDialed(database.forTenant(scope), id, { callId: placed.id, deadlineSeconds })
    // Somebody ended it while the carrier was asked.
    if (!stillRuns) await carrier.endCall(placed.id)
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    if (error.verdict !== 'unknown') return giveUpOrWait(scope, call, deps, error)
    log.warn({ call: id, code: error.code }, 'the carrier did not say whether it dials: its callbacks will')
  }
}

async function prepare(
  scope: TenantScope,
  call: CallToDial,
  { database, agents, carriers }: DialDependencies,
): Promise<{ line: VoiceLine; open: OpenCarrier; agent: NonNullable<Awaited<ReturnType<Agents['open']>>> }> {
  const sql = database.forTenant(scope)
  const line = await carriers.line(sql, call.channel_id)
  const agent = call.agent_id === null ? undefined : await agents.open(sql, call.agent_id)
  if (!agent?.isActive) throw new CarrierError('fail', 'no_agent', 'The agent was deleted or is inactive')
  return { line, agent, open: await carriers.open(scope, line) }
}

/** Surely not dialed: tried again where that can help, else the call has failed. */
async function giveUpOrWait(scope: TenantScope, call: CallToDial, { database }: DialDependencies, error: Error) {
  const known = error instanceof CarrierError ? error : undefined
  const mayHelp = known ? known.verdict === 'retry' : error instanceof NobodyListens || !(error instanceof AppError)
  const told: CallError = {
    code: known?.code ?? (error instanceof AppError ? 'not_configured' : 'unreachable'),
    message: error.message.slice(0, 500),
  }
  if (mayHelp && call.attempts < mostAttempts) {
    const afterMs = known?.retryAfterMs ?? Math.min(30_000, 500 * 2 ** call.attempts)
    await putBack(database.forTenant(scope), call.id, { afterMs, error: told })
    return
  }
  await database.inTenant(scope, (tx) =>
    finishCall(tx, call.id, {
      status: 'failed',
      telephonyStatus: 'failed',
      endedReason: mayHelp ? 'carrier_unreachable' : 'carrier_refused',
      error: told,
    }),
  )
}

/** What the simulated person says, and what makes it say the same again; a real carrier is never told. */
function simulationOf({ id, metadata }: CallToDial): Record<string, string> {
  const { caller_script: script, seed } = metadata
  const lines = Array.isArray(script) ? script.filter((line) => typeof line === 'string') : undefined
  return {
    SimulationSeed: typeof seed === 'string' || typeof seed === 'number' ? String(seed) : id,
    ...(lines && { SimulationScript: JSON.stringify(lines) }),
  }
}
