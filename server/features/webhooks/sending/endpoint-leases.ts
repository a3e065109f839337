import type { Database } from '../../../platform/database.ts'
import type { ClaimingWorker } from '../../../platform/dispatch/contract.ts'
import type { EventKind } from '../../../platform/events.ts'
import type { Log } from '../../../platform/log.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { readableTypes } from '../receivable-types.ts'
import { createSigner, openSecrets } from '../signing.ts'
import { type DueDelivery, type EndpointQueue, isDone, newEndpointQueue, stop } from './endpoint-queues.ts'
import { claimEndpoints, type HeldEndpoint, listHeldEndpoints, lockHeldEndpoints, releaseEndpoints } from './queries.ts'

/**
 * The endpoints whose leases this worker holds; it has an EndpointQueue for each. No other worker delivers to an
 * endpoint until its holder releases the endpoint's lease or loses its own worker lease.
 */
interface EndpointLeases {
  /** Leases endpoints that are due, releases those with nothing left to send, and reads changes of the others. */
  update(worker: Worker): Promise<void>
  /**
   * Reads all endpoints that this worker holds. Adds those whose claim committed although its answer was lost, and
   * stops the queues of those that it no longer holds.
   */
  refresh(worker: Worker): Promise<void>
  /** There may be new deliveries, also for endpoints that this worker holds. */
  expectMore(): void
  /** A webhook was changed: its address, secrets and status must be read again. */
  expectChange(): void
  /** Stops all queues and releases the leases of those without a request in flight. */
  releaseAll(): Promise<void>
}

interface EndpointLeasesOptions {
  database: Database
  secrets: SecretBox
  log: Log
  eventKinds: EventKind[]
}

export type Worker = ClaimingWorker<EndpointQueue, DueDelivery>

export const claimEveryMs = 450
/** Address, secrets and status of held endpoints are read again this often, also without a signal. */
const refreshEveryMs = 3_000
const maxEndpoints = 1_000
/** Failing endpoints may take at most half of what a worker holds, so that healthy ones are not kept waiting. */
const maxFailing = maxEndpoints / 2
/** Endpoints that one statement leases. */
const maxClaimed = 100

export function createEndpointLeases({ database, secrets, log, eventKinds }: EndpointLeasesOptions): EndpointLeases {
  const system = database.forSystem()
  /** When `update` refreshes and claims next, by `performance.now()`. */
  let refreshAt = 0
  let claimAt = 0
  /** The worker's queues, as of the last `update`. */
  let heldQueues: ReadonlyMap<string, EndpointQueue> = new Map()

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

  /** Undefined if nothing can be sent: the webhook is disabled or deleted, or its secrets cannot be opened. */
  function addressOf(row: HeldEndpoint): Pick<EndpointQueue, 'url' | 'target' | 'sign' | 'mayReceive'> | undefined {
    if (row.status === 'disabled' || row.sealed_secrets === null) return undefined
    try {
      const scope = { organizationId: row.organization_id, livemode: row.livemode }
      const sign = createSigner(openSecrets(secrets, scope, row.webhook_id, row.sealed_secrets))
      // A delivery records an address that cannot be parsed as its error.
      const target = URL.parse(row.url) ?? row.url
      return { url: row.url, target, sign, mayReceive: readableTypes(row.scopes, eventKinds) }
    } catch (error) {
      log.error({ err: error, webhookId: row.webhook_id }, 'webhook delivery: signing secrets cannot be opened')
      return undefined
    }
  }

  /** Removes the queues that have nothing left to send and releases their leases. Lost queues have none. */
  async function releaseDone(worker: Pick<Worker, 'queues' | 'remove'>): Promise<void> {
    const done = [...worker.queues.values()].filter(isDone)
    const removable = done.filter(({ isLost }) => isLost)
    const held = done.filter(({ isLost }) => !isLost)
    for (const [workerId, queues] of Map.groupBy(held, (queue) => queue.workerId))
      removable.push(...(await releaseLeases(queues, workerId)))
    for (const queue of removable) worker.remove(queue)
    if (removable.length > 0) claimAt = 0
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

  async function claimDue(worker: Worker): Promise<void> {
    const max = Math.min(maxClaimed, maxEndpoints - worker.queues.size)
    if (max <= 0 || performance.now() < claimAt) return
    claimAt = performance.now() + claimEveryMs
    let failing = 0
    for (const { failingSince } of worker.queues.values()) if (failingSince !== null) failing++
    const rows = await claimEndpoints(system, worker.id, { max, includeFailing: failing < maxFailing })
    // There may be more.
    if (rows.length === max) claimAt = 0
    for (const row of rows) addQueue(worker, row)
  }

  return {
    async update(worker) {
      heldQueues = worker.queues
      if (performance.now() >= refreshAt || hasQueueOfOldLease(worker)) await refresh(worker)
      await releaseDone(worker)
      await claimDue(worker)
    },
    refresh,
    expectMore() {
      claimAt = 0
      for (const queue of heldQueues.values()) queue.mayHaveMore = true
    },
    expectChange() {
      refreshAt = 0
    },
    async releaseAll() {
      const queues = new Map(heldQueues)
      for (const queue of queues.values()) stop(queue)
      await releaseDone({ queues, remove: (queue) => queues.delete(queue.key) })
    },
  }
}

/** This worker's own lease expired since, and the endpoint may be another worker's. */
const hasQueueOfOldLease = ({ queues, id }: Worker): boolean =>
  queues.values().some((queue) => queue.workerId !== id && !queue.isLost)

const toRelease = ({ webhookId, pausedUntil }: EndpointQueue) => ({
  webhookId,
  pausedMs: pausedUntil === null ? null : Math.max(0, pausedUntil - performance.now()),
})
