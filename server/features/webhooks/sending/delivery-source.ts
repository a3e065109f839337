import type { Database } from '../../../platform/database.ts'
import type { Attempted, Source } from '../../../platform/dispatch/contract.ts'
import type { EventKind } from '../../../platform/events.ts'
import { lowestId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { Tracer } from '../../../platform/tracing/trace.ts'
import { disableWebhook } from '../disable-webhook.ts'
import { type AttemptOutcome, attempt } from './attempt.ts'
import { claimEveryMs, createEndpointLeases, type Worker } from './endpoint-leases.ts'
import { adaptToResult, type DueDelivery, type EndpointQueue, isIdle, runsLow, stop } from './endpoint-queues.ts'
import { createEventBodies } from './event-bodies.ts'
import { judge, type RetryPolicy, type Verdict } from './judge-outcome.ts'
import { type EndpointHealth, type ResultRow, readDueDeliveries, recordHealth, recordResults } from './queries.ts'

export interface DeliveryOptions extends RetryPolicy {
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
  row: ResultRow
  /** Set if the endpoint begins to fail or recovers. */
  health?: EndpointHealth
  disable: 'gone' | 'failing' | null
}

interface DeliverySource extends Source<EndpointQueue, DueDelivery, DeliveryResult> {
  /** There may be new deliveries. */
  expectMore(): void
  /** A webhook was changed. */
  expectChange(): void
}

/** How many deliveries are read at once, as a multiple of the endpoint's slots. */
const readAhead = 8
const minRead = 4

const startCursor = { at: '-infinity', id: lowestId }

/**
 * Webhook deliveries as a source of the dispatcher, with one EndpointQueue per endpoint.
 *
 * 1. `claim` leases endpoints (`endpoint-leases.ts`) and reads the due deliveries of those that it holds into their
 * queues. A lease is enough: deliveries themselves are not claimed in the database.
 * 2. `send` signs and posts the event (`attempt`), and decides what the outcome means for the delivery and its endpoint
 * (`judge`).
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
  const leases = createEndpointLeases({ database, secrets, log, eventKinds })
  const eventBodies = createEventBodies(database)
  const requestOptions = { http, timeLimitMs: options.timeLimitMs }
  const durations = metrics.histogram(
    'frontdesk_webhook_attempt_duration_seconds',
    'How long attempts to deliver a webhook took, by class of the response status; `none` without a response',
    ['status'],
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
  )
  let isAborted = false

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
    const bodies = await eventBodies.read(
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
          event: bodies.get(id),
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
      attempt({ id: item.id, url: target, body, sign }, requestOptions),
    )
    // Drain cut the connection, so the outcome of the request is unknown. The delivery stays due.
    if (isAborted && outcome.response_status === null) return undefined
    durations.observe({ status: classOf(outcome.response_status) }, outcome.duration_ms / 1000)
    const verdict = judge(outcome, { step: item.step, failingSince: queue.failingSince }, options)
    const isFailing = verdict.status !== 'succeeded'
    adaptToResult(queue, !isFailing, verdict.pauseMs)
    const result = toResult(queue, item, url, outcome, verdict)
    const wasFailing = queue.failingSince !== null
    if (isFailing === wasFailing) return result
    const failingSince = isFailing ? outcome.attempted_at : null
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
    expectMore: leases.expectMore,
    expectChange: leases.expectChange,
    async claim(worker) {
      await leases.update(worker)
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
    reconcile: leases.refresh,
    async abort() {
      isAborted = true
      await http.close()
    },
    async close() {
      await http.close()
      await leases.releaseAll()
    },
  }
}

const endpointOf = ({ organizationId, livemode, webhookId }: EndpointQueue) => ({ organizationId, livemode, webhookId })

function toResult(
  queue: EndpointQueue,
  { id, attempts }: DueDelivery,
  url: string,
  { body: responseBody, retryAfterMs: _, ...attempted }: AttemptOutcome,
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
