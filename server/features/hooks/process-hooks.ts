import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, SystemSql } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { PersonalTable } from '../../platform/personal-data.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Tracer } from '../../platform/tracing/trace.ts'
import type { ChatHookSettings } from '../channels/hooks/chat-hook.ts'
import { addToBundle, applyUpdates, type Bundle, emptyBundle, sizeOf } from './apply-updates.ts'
import { hookQueue } from './hook-gauges.ts'
import { readPayload } from './payloads/read-payload.ts'
import {
  type ClaimedHook,
  claimHooks,
  deleteHooks,
  type KeptHook,
  keepClaim,
  keepHooks,
  postponeHook,
} from './queries.ts'
import { resolveChannels } from './resolve-channels.ts'

export interface Processing {
  database: Database
  log: Log
  metrics: Metrics
  phones: PhoneNumbers
  secrets: SecretBox
  hooks: ChatHookSettings
  mediaAddress: string
  tracer: Tracer
  personalData: PersonalTable[]
}

/** Batch size: large enough for efficient statements, small enough for memory and latency. */
const most = 500
const mostBytes = 1024 * 1024

/** After this many failures a webhook is set aside, with its error. */
const mostAttempts = 5
const delaysMs = [2_000, 10_000, 60_000, 300_000]

/** Organizations at once: each needs a connection. */
const tenantsAtOnce = 3

/** Updates per transaction: a webhook of four megabytes can hold a hundred thousand. */
const mostInTransaction = 2_000

/** How long webhooks of a failed batch are tried one by one before others have their turn. */
const oneByOneMs = 15_000

/** Claims the oldest unclaimed webhooks, applies and removes them; returns whether there may be more. */
export async function processHooks(processing: Processing): Promise<'none' | 'some' | 'many'> {
  // A connection of the system pool holds the claim while the work uses the tenant pool: neither waits for the other,
  // so the work may open its own transactions. System queries of the work use that same connection.
  const outside = AsyncLocalStorage.snapshot()
  return processing.database.inSystem(async (tx) => {
    const claimed = await claimHooks(tx, { most, mostBytes })
    if (claimed.length === 0) return 'none'
    await keepClaim(tx)
    const { done, kept, postponed } = await outside(() => applyHooks(processing, tx, claimed))
    if (done.length > 0) await deleteHooks(tx, done)
    if (kept.length > 0) await keepHooks(tx, kept)
    for (const { id, ...when } of postponed) await postponeHook(tx, id, when)
    const failed = postponed.length + kept.filter(({ outcome }) => outcome === 'failed').length
    processing.metrics.countProcessed(hookQueue, 'failed', failed)
    processing.metrics.countProcessed(hookQueue, 'succeeded', claimed.length - failed)
    const bytes = claimed.reduce((sum, { body }) => sum + body.length, 0)
    return claimed.length === most || bytes >= mostBytes ? 'many' : 'some'
  })
}

interface HookOutcomes {
  done: string[]
  kept: KeptHook[]
  postponed: { id: string; attempts: number; delayMs: number }[]
}

async function applyHooks(processing: Processing, system: SystemSql, claimed: ClaimedHook[]): Promise<HookOutcomes> {
  const outcomes: HookOutcomes = { done: [], kept: [], postponed: [] }
  // A webhook that failed before is tried alone: it may be the one that makes a whole batch fail.
  const [fresh, tried] = [
    claimed.filter(({ attempts }) => attempts === 0),
    claimed.filter(({ attempts }) => attempts > 0),
  ]
  const failed = await applySet(processing, system, fresh, outcomes)
  const started = performance.now()
  for (const hook of [...failed.keys(), ...tried]) {
    // The rest is tried later, one by one: the cause may be gone by then.
    const isLate = performance.now() - started > oneByOneMs
    const error = isLate ? failed.get(hook) : (await applySet(processing, system, [hook], outcomes)).get(hook)
    if (error !== undefined) giveBack(processing, hook, error, outcomes)
  }
  return outcomes
}

/** Applies them together and returns those that could not be applied completely. */
async function applySet(
  { database, log, phones, secrets, hooks: settings, mediaAddress, tracer, personalData }: Processing,
  system: SystemSql,
  set: ClaimedHook[],
  outcomes: HookOutcomes,
): Promise<Map<ClaimedHook, unknown>> {
  const now = new Date()
  const payloads = new Map(set.map((hook) => [hook, readPayload(hook.body, { phones, now })]))
  const changes = set.flatMap((hook) => (payloads.get(hook)?.changes ?? []).map((change) => ({ hook, change })))
  const channels = await resolveChannels({ system, secrets, hooks: settings, log }, changes)
  const suspended = new Set<ClaimedHook>()
  const tenants = new Map<string, { bundle: Bundle; hooks: Set<ClaimedHook> }[]>()
  for (const [i, { hook, change }] of changes.entries()) {
    const channel = channels[i]
    if (!channel) continue
    const { organizationId, livemode, channelId, isSuspended } = channel
    if (isSuspended) {
      suspended.add(hook)
      continue
    }
    const key = `${organizationId} ${livemode}`
    const parts = tenants.get(key) ?? []
    tenants.set(key, parts)
    const last = parts.at(-1)
    const part =
      last && sizeOf(last.bundle) + sizeOf(change) <= mostInTransaction
        ? last
        : { bundle: emptyBundle({ organizationId, livemode }), hooks: new Set<ClaimedHook>() }
    if (part !== last) parts.push(part)
    addToBundle(part.bundle, change, channelId)
    part.hooks.add(hook)
  }

  const failed = new Map<ClaimedHook, unknown>()
  const queue = [...tenants.values()]
  const work = async () => {
    for (let parts = queue.shift(); parts; parts = queue.shift())
      for (const { bundle, hooks } of parts)
        try {
          const parents = [...hooks].map(({ traceparent }) => traceparent)
          const deps = { mediaAddress, secrets, personalData, hooks: settings }
          await tracer.runForAll('inbound webhook', { kind: 'consumer', parents }, () =>
            database.inTenant(bundle.scope, (tx) => applyUpdates(tx, bundle, deps)),
          )
        } catch (error) {
          for (const hook of hooks) failed.set(hook, error)
        }
  }
  await Promise.all(Array.from({ length: Math.min(tenantsAtOnce, queue.length) }, work))

  for (const hook of set) {
    if (failed.has(hook)) continue
    // Applied as a whole after the suspension; what concerns other organizations is applied once.
    if (suspended.has(hook)) {
      const reason = 'The organization is suspended'
      outcomes.kept.push({ id: hook.id, outcome: 'held', reason, attempts: hook.attempts })
      continue
    }
    const ignored = payloads.get(hook)?.ignored ?? []
    if (ignored.length === 0) outcomes.done.push(hook.id)
    else {
      const reason = ignored.join(', ')
      log.info({ hook: hook.id, reason }, 'inbound webhook: ignored in part or whole')
      outcomes.kept.push({ id: hook.id, outcome: 'ignored', reason, attempts: hook.attempts })
    }
  }
  return failed
}

function giveBack({ log }: Processing, hook: ClaimedHook, error: unknown, outcomes: HookOutcomes): void {
  const attempts = hook.attempts + 1
  const delayMs = delaysMs[hook.attempts]
  if (attempts < mostAttempts && delayMs !== undefined) {
    log.warn({ err: error, hook: hook.id, attempts }, 'inbound webhook: could not be applied, will be retried')
    outcomes.postponed.push({ id: hook.id, attempts, delayMs })
  } else {
    log.error({ err: error, hook: hook.id, attempts }, 'inbound webhook: put aside, could not be applied')
    const reason = error instanceof Error ? error.message : 'unknown'
    outcomes.kept.push({ id: hook.id, outcome: 'failed', reason: reason.replaceAll('\0', '').toWellFormed(), attempts })
  }
}
