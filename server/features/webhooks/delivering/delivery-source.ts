import type { Database } from '../../../platform/database.ts'
import type { Attempted, ClaimingWorker, Source } from '../../../platform/dispatch/contract.ts'
import type { EventKind } from '../../../platform/events.ts'
import { lowestId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { Tracer } from '../../../platform/tracing/trace.ts'
import { disableWebhook } from '../disable-webhook.ts'
import { mayReceive } from '../receivable-types.ts'
import { createSigner, openSecrets } from '../signing.ts'
import { attempt, type Outcome } from './attempt.ts'
import {
  adaptToResult,
  type DueDelivery,
  type EndpointQueue,
  isDone,
  isIdle,
  newEndpointQueue,
  runsLow,
  stop,
} from './endpoint-queues.ts'
import { createEventBodies } from './event-bodies.ts'
import { judge, type Schedule, type Verdict } from './judge-outcome.ts'
import {
  claimEndpoints,
  type EndpointHealth,
  type HeldEndpoint,
  listHeldEndpoints,
  lockHeldEndpoints,
  type Result,
  readDueDeliveries,
  recordHealth,
  recordResults,
  releaseEndpoints,
} from './queries.ts'

export interface DeliveryOptions extends Schedule {
  timeLimitMs: number
}

export interface DeliveryDependencies {
  database: Database
  /** Used by webhooks alone: drain closes it. */
  http: OutboundHttp
  secrets: SecretBox
  log: Log
  metrics: Metrics
  tracer: Tracer
  eventKinds: EventKind[]
}

interface DeliveryResult {
  row: Result
  /** Set if the endpoint begins to fail or recovers. */
  health?: EndpointHealth
  disable: 'gone' | 'failing' | null
}

type Worker = ClaimingWorker<EndpointQueue, DueDelivery>

interface DeliverySource extends Source<EndpointQueue, DueDelivery, DeliveryResult> {
  /** There may be new deliveries, also for endpoints that this worker holds. */
  expectMore(): void
  /** A webhook was changed: its address, secrets and status must be read again. */
  expectChange(): void
}

const claimEveryMs = 450
/** Address, secrets and status of held endpoints are read again this often, also without a signal. */
const refreshEveryMs = 3_000
const maxEndpoints = 1_000
/** Failing endpoints may take at most half of what a worker holds, so that healthy ones are not kept waiting. */
const maxFailing = maxEndpoints / 2
const maxClaimed = 100
/** How many deliveries are read at once, as a multiple of the endpoint's limit of requests in flight. */
const readAhead = 8
const minRead = 4

const startCursor = { at: '-infinity', id: lowestId }

/**
 * Webhook deliveries as a source of the dispatcher, with one EndpointQueue per endpoint.
 *
 * A worker leases whole endpoints; deliveries themselves are not claimed. No other worker delivers to an endpoint until
 * its holder releases the endpoint's lease or loses its own worker lease.
 *
 * 1. `claim` reads the held endpoints again when needed, releases those with nothing left to send, leases endpoints
 * that are due, and reads their due deliveries into the queues.
 * 2. `attempt` signs and posts the event; `judge` decides about success, retry and pause.
 * 3. `record` writes the results, and disables endpoints that are gone or have failed for too long.
 *
 * There is no `markInFlight`: a request may be repeated. If a worker dies, its deliveries in flight are still
 * `pending`, and the endpoint's next holder sends them again.
 */
export function createDeliverySource(
  { database, http, secrets, log, metrics, tracer, eventKinds }: DeliveryDependencies,
  options: DeliveryOptions,
): DeliverySource {
  const system = database.forSystem()
  const bodies = createEventBodies(database)
  const durations = metrics.histogram(
    'frontdesk_webhook_attempt_duration_seconds',
    'How long attempts to deliver a webhook took, by class of the response status; `none` without a response',
    ['status'],
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
  )
  let refreshAt = 0
  let claimAt = 0
  let isAborted = false
  let heldQueues: ReadonlyMap<string, EndpointQueue> = new Map()

  /** Undefined if nothing can be sent: the webhook is disabled or deleted, or its secrets cannot be opened. */
  function addressOf(row: HeldEndpoint): Pick<EndpointQueue, 'url' | 'target' | 'sign' | 'mayReceive'> | undefined {
    if (row.status === 'disabled' || row.sealed_secrets === null) return undefined
    try {
      const scope = { organizationId: row.organization_id, livemode: row.livemode }
      const sign = createSigner(openSecrets(secrets, scope, row.webhook_id, row.sealed_secrets))
      // A delivery records an address that cannot be parsed as its error.
      const target = URL.parse(row.url) ?? row.url
      return { url: row.url, target, sign, mayReceive: mayReceive(row.scopes, eventKinds) }
    } catch (error) {
      log.error({ err: error, webhookId: row.webhook_id }, 'webhook delivery: signing secrets cannot be opened')
      return undefined
    }
  }

  function addQueue(worker: Worker, row: HeldEndpoint): void {
    // The queue of an earlier lease still has requests in flight. A later refresh adds the endpoint.
    if (worker.queues.has(row.webhook_id)) return
    const address = addressOf(row)
    const queue = newEndpointQueue({
      organizationId: row.organization_id,
      livemode: row.livemode,
      webhookId: row.webhook_id,
      workerId: worker.id,
      failingSince: row.failing_since === null ? null : Date.parse(row.failing_since),
      ...(address ?? { url: row.url, target: row.url, sign: () => '', mayReceive: () => false }),
    })
    if (!address) stop(queue)
    worker.add(queue, [])
  }

  /**
   * Reads all endpoints that this worker holds. Adds those whose claim committed although its answer was lost, and
   * stops the queues of those that it no longer holds.
   */
  async function refresh(worker: Worker): Promise<void> {
    refreshAt = performance.now() + refreshEveryMs
    const rows = new Map((await listHeldEndpoints(system, worker.id)).map((row) => [row.webhook_id, row]))
    for (const queue of worker.queues.values()) {
      const row = rows.get(queue.webhookId)
      const address = row && addressOf(row)
      if (!row || queue.workerId !== worker.id) queue.isLost = true
      if (address && !queue.isLost) Object.assign(queue, address)
      else stop(queue)
    }
    for (const row of rows.values()) addQueue(worker, row)
  }

  /** Returns the queues whose leases were released: all but those to which deliveries are being added right now. */
  const releaseLeases = (queues: EndpointQueue[], workerId: string) =>
    database.inSystem(async (tx) => {
      const ids = queues.map(({ webhookId }) => webhookId)
      const locked = new Set((await lockHeldEndpoints(tx, workerId, ids)).map((row) => row.webhook_id))
      const released = queues.filter(({ webhookId }) => locked.has(webhookId))
      if (released.length > 0) await releaseEndpoints(tx, workerId, released.map(toRelease))
      return released
    })

  /** Gives up endpoints that have nothing left to send, and queues whose endpoint another worker holds. */
  async function releaseDone(worker: Pick<Worker, 'queues' | 'remove'>): Promise<void> {
    const done = [...worker.queues.values()].filter(isDone)
    const removable = done.filter(({ isLost }) => isLost)
    const held = done.filter(({ isLost }) => !isLost)
    for (const [workerId, queues] of Map.groupBy(held, (queue) => queue.workerId))
      removable.push(...(await releaseLeases(queues, workerId)))
    for (const queue of removable) worker.remove(queue)
    if (removable.length > 0) claimAt = 0
  }

  /** Leases endpoints that are due. */
  async function claimDue(worker: Worker): Promise<void> {
    const max = Math.min(maxClaimed, maxEndpoints - worker.queues.size)
    if (max <= 0 || performance.now() < claimAt) return
    claimAt = performance.now() + claimEveryMs
    let failing = 0
    for (const { failingSince } of worker.queues.values()) if (failingSince !== null) failing++
    const rows = await claimEndpoints(system, worker.id, { max, includeFailing: failing < maxFailing })
    if (rows.length === max) claimAt = 0
    for (const row of rows) addQueue(worker, row)
  }

  /** Reads due deliveries into the queues that run low. */
  async function readDue(worker: Worker): Promise<void> {
    const queues = [...worker.queues.values()].filter((queue) => !queue.isStopped && runsLow(queue))
    if (queues.length === 0) return
    const share = Math.floor(worker.room / queues.length)
    const readings = queues.map((queue) => {
      // Everything read so far is recorded. New or retried deliveries may be due before the cursor, so reading starts
      // over.
      if (isIdle(queue)) queue.cursor = undefined
      const max = Math.max(minRead, Math.min(queue.maxSlots * readAhead, share))
      return { webhookId: queue.webhookId, cursor: queue.cursor ?? startCursor, max }
    })
    const rows = await readDueDeliveries(system, readings)
    const found = rows.map((row) => ({ row, queue: queues[row.position - 1] as EndpointQueue }))
    const texts = await bodies.of(
      found.map(({ row: { id }, queue: { organizationId, livemode } }) => ({ id, organizationId, livemode })),
    )
    const rowsOf = Map.groupBy(found, ({ queue }) => queue)
    for (const [i, queue] of queues.entries()) {
      const read = rowsOf.get(queue) ?? []
      queue.mayHaveMore = read.length >= (readings[i]?.max ?? 0)
      const last = read.at(-1)?.row
      if (last) queue.cursor = { at: last.next_attempt_at, id: last.id }
      const fresh = read.filter(({ row }) => !queue.isStopped && !queue.claimed.has(row.id))
      worker.add(
        queue,
        fresh.map(({ row: { id, event_type: type, attempts, step } }) => ({
          id,
          type,
          workerId: queue.workerId,
          dueAt: 0,
          attempts,
          step,
          event: texts.get(id),
        })),
      )
    }
  }

  async function send(queue: EndpointQueue, item: DueDelivery): Promise<DeliveryResult | undefined> {
    const { url, target, sign } = queue
    if (!queue.mayReceive(item.type))
      return unsent(queue, item, `Not sent: the credential that set up this webhook may not read ${item.type}`)
    if (!item.event) return unsent(queue, item, 'The event is past its retention')
    const { body, traceparent } = item.event
    const span = { kind: 'client', parent: traceparent, attributes: { 'frontdesk.event_type': item.type } } as const
    const outcome = await tracer.run('webhook delivery', span, () =>
      attempt({ id: item.id, url: target, body, sign }, { http, ...options }),
    )
    // Drain cut the connection, so the outcome of the request is unknown. The delivery stays due.
    if (isAborted && outcome.response_status === null) return undefined
    durations.observe({ status: classOf(outcome.response_status) }, outcome.duration_ms / 1000)
    const verdict = judge(outcome, { step: item.step, failingSince: queue.failingSince }, options)
    const isSuccess = verdict.status === 'succeeded'
    adaptToResult(queue, isSuccess, verdict.pauseMs)
    const result = toResult(queue, item, url, outcome, verdict)
    const wasFailing = queue.failingSince !== null
    if (isSuccess !== wasFailing) return result
    const failingSince = isSuccess ? null : outcome.attempted_at
    queue.failingSince = failingSince === null ? null : Date.parse(failingSince)
    return { ...result, health: { ...endpointOf(queue), failingSince } }
  }

  async function record(attempted: Attempted<EndpointQueue, DueDelivery, DeliveryResult>[]): Promise<void> {
    const results = attempted.map(({ result }) => result)
    await recordResults(
      system,
      results.map(({ row }) => row),
    )
    const healths = new Map<string, EndpointHealth>()
    for (const { health } of results) if (health) healths.set(health.webhookId, health)
    if (healths.size > 0) await recordHealth(system, [...healths.values()])
    const reasons = new Map<EndpointQueue, 'gone' | 'failing'>()
    for (const { queue, result } of attempted)
      if (result.disable && !reasons.has(queue)) reasons.set(queue, result.disable)
    for (const [queue, reason] of reasons)
      await database.inTenant(queue, (tx) => disableWebhook(tx, queue.webhookId, reason, eventKinds))
  }

  return {
    expectMore() {
      claimAt = 0
      for (const queue of heldQueues.values()) queue.mayHaveMore = true
    },
    expectChange() {
      refreshAt = 0
    },
    async claim(worker) {
      heldQueues = worker.queues
      if (performance.now() >= refreshAt || hasOldLease(worker)) await refresh(worker)
      await releaseDone(worker)
      await claimDue(worker)
      await readDue(worker)
      return claimEveryMs
    },
    attempt: send,
    isSuccess: ({ row }) => row.status === 'succeeded',
    // One transaction at a time writes the results of all endpoints.
    groupOf: () => 'all',
    record,
    afterRecord(attempted) {
      for (const { queue, result } of attempted) if (result.disable) stop(queue)
    },
    isRunningLow: runsLow,
    // Deliveries are not claimed one by one; `close` releases the leases of their endpoints.
    release: async () => {},
    reconcile: refresh,
    async abort() {
      isAborted = true
      await http.close()
    },
    async close() {
      await http.close()
      const queues = new Map(heldQueues)
      for (const queue of queues.values()) stop(queue)
      await releaseDone({ queues, remove: (queue) => queues.delete(queue.key) })
    },
  }
}

const hasOldLease = ({ queues, id }: Worker): boolean =>
  queues.values().some((queue) => queue.workerId !== id && !queue.isLost)

const toRelease = ({ webhookId, pausedUntil }: EndpointQueue) => ({
  webhookId,
  pausedMs: pausedUntil === null ? null : Math.max(0, pausedUntil - performance.now()),
})

const endpointOf = ({ organizationId, livemode, webhookId }: EndpointQueue) => ({ organizationId, livemode, webhookId })

function toResult(
  queue: EndpointQueue,
  { id, attempts }: DueDelivery,
  url: string,
  { body: responseBody, retryAfterMs: _, ...attempted }: Outcome,
  { status, step, delayMs, disable }: Verdict,
): DeliveryResult {
  const row = { ...endpointOf(queue), id, url, attempts, attempt: attempted, responseBody, status, step, delayMs }
  return { row, disable }
}

/** The result of a delivery for which no request is made. It says nothing about the endpoint. */
function unsent(queue: EndpointQueue, item: DueDelivery, error: string): DeliveryResult {
  const attempted_at = new Date().toISOString()
  const outcome = { attempted_at, duration_ms: 0, response_status: null, error, body: null, retryAfterMs: null }
  const verdict: Verdict = { status: 'failed', step: item.step, delayMs: null, pauseMs: null, disable: null }
  return toResult(queue, item, queue.url, outcome, verdict)
}

const classOf = (status: number | null) => (status === null ? 'none' : `${Math.floor(status / 100)}xx`)
