import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database.ts'
import type { Log } from '../log.ts'
import { startLoop } from '../loop.ts'
import type { Metrics } from '../metrics.ts'
import { createBatchRecorder } from './batch-recorder.ts'
import { systemClock } from './clock.ts'
import type { Attempted, ClaimingWorker, DispatchLimits, Item, Queue, Source, Taken } from './contract.ts'
import { createFairScheduler } from './fair-scheduler.ts'
import { createPacedQueue } from './paced-queue.ts'
import { takeWorkerLease } from './worker-lease.ts'

const afterFailureMs = 500
/** Wait before the next flush while the lease is not held. */
const leaseRetryMs = 100
/** Longest wait between two flushes. */
const idleFlushMs = 500
/** Wait before the next claim while the queues are full. */
const fullRetryMs = 50
/** Time for the last writes at shutdown, after the requests have ended. */
const recordTimeoutMs = 2_000

export interface Dispatcher {
  /** Claims immediately, because there may be new items. */
  wake(): void
  /** Finishes what is in flight, returns the rest to the queue and releases the lease. */
  close(): Promise<void>
}

interface DispatcherOptions<Q extends Queue<I>, I extends Item, R> {
  /** Name of the worker lease and prefix of every log line, such as "webhook delivery". */
  name: string
  /** Name of the queue in metrics, such as `webhook_deliveries`. */
  queue: string
  database: Database
  log: Log
  metrics: Metrics
  source: Source<Q, I, R>
  limits: DispatchLimits
}

/**
 * Claims items, sends them and records their outcome for as long as this node runs. Other workers do the same on the
 * same database. All state is in the database, so the process may be killed at any point.
 *
 * Two loops move an item. The claim loop has the source claim it and add it to a queue, where it waits. The flush loop
 * takes it from there in turn with those of other queues, has the source mark it in flight, and sends it: immediately,
 * or through the paced queue at the rate of its destination. The answer goes to the recorder, which has the source
 * write it in a batch; then the item is no longer claimed. `contract.ts` has the terms.
 */
export async function startDispatcher<Q extends Queue<I>, I extends Item, R>({
  name,
  queue: queueName,
  database,
  log,
  metrics,
  source,
  limits,
}: DispatcherOptions<Q, I, R>): Promise<Dispatcher> {
  const queues = new Map<string, Q>()
  const scheduler = createFairScheduler<Q, I>(limits.slots)
  const lease = await takeWorkerLease({ database, log }, { name, seconds: limits.leaseSeconds })
  let leaseId = lease.id
  /** A statement failed and may have taken effect all the same: the source reconciles before the next claim. */
  let isInDoubt = false
  const claimInterval = createInterval(limits.claimAtMostEveryMs)
  const flushInterval = createInterval(limits.flushEveryMs)
  let onWire = 0
  /** Rotates which paced queue is the first to send once the wire is no longer full. */
  let wireTurn = 0
  let onAllSlotsFree = () => {}

  const recorder = createBatchRecorder<Attempted<Q, I, R>>(
    {
      name,
      log,
      groupOf: source.groupOf,
      write: source.record,
      async onWritten(batch) {
        for (const { queue, item } of batch) {
          queue.claimed.delete(item.id)
          if (limits.slotsHeldUntil === 'recorded') releaseSlot(queue)
          claimIfLow(queue)
        }
        await source.afterRecord?.(batch, { hold })
      },
    },
    limits.record,
  )

  async function claim(): Promise<number> {
    await claimInterval()
    if (leaseId !== lease.id) {
      // Claims of the old lease are void: other workers may have them already.
      leaseId = lease.id
      takeWaiting(queues.values())
    }
    const room = limits.maxWaiting - countWaiting()
    if (room <= 0) return fullRetryMs
    const worker: ClaimingWorker<Q, I> = { id: leaseId, room, queues, add, setRate, remove }
    try {
      if (isInDoubt) {
        isInDoubt = false
        await source.reconcile(worker)
      }
      return await source.claim(worker)
    } catch (error) {
      isInDoubt = true
      throw error
    }
  }

  function countWaiting(): number {
    let waiting = 0
    for (const queue of queues.values()) waiting += queue.waiting.length
    return waiting
  }

  function add(queue: Q, items: I[]): void {
    queues.set(queue.key, queue)
    for (const item of items) queue.claimed.add(item.id)
    queue.waiting.push(...items)
    scheduler.markReady(queue)
    if (items.length > 0) flushes.wake()
  }

  function setRate(queue: Q, perSecond: number): void {
    queue.paced ??= createPacedQueue<I>(systemClock, {
      send: (item, onWritten) => void send(queue, item, onWritten),
      maySend: () => onWire < limits.maxOnWire && (source.maySend?.(queue) ?? true),
    })
    queue.paced.setRate(perSecond)
  }

  function remove(queue: Q): void {
    queues.delete(queue.key)
    scheduler.remove(queue)
  }

  /** Sends what is due. Returns the number of milliseconds until the next item is due. */
  async function flush(): Promise<number> {
    await flushInterval()
    if (!lease.isHeld()) return leaseRetryMs
    const now = performance.now()
    const taken = scheduler.take(now, limits.flushSize)
    if (taken.length === 0) return Math.min(idleFlushMs, scheduler.nextReadyAt(now) - now)
    const marked = await markInFlight(taken)
    for (const each of taken) {
      const { queue, item } = each
      if (!marked.has(each)) drop(queue, item)
      else if (queue.paced) queue.paced.push(item)
      else void send(queue, item)
    }
    return 0
  }

  /** Returns the items that may be sent. */
  async function markInFlight(taken: Taken<Q, I>[]): Promise<Set<Taken<Q, I>>> {
    try {
      if (!source.markInFlight) return new Set(taken)
      const { marked, inDoubt } = await source.markInFlight(taken)
      isInDoubt ||= inDoubt
      return new Set(marked)
    } catch (error) {
      // No request was sent for these, so they are safe to return.
      isInDoubt = true
      for (const { queue, item } of taken) drop(queue, item)
      throw error
    } finally {
      // The scheduler reserved these. From here on they are in the paced queue, or dropped.
      for (const { queue } of taken) queue.paced?.endReservation()
    }
  }

  /** Makes the request and passes its result to the recorder. */
  async function send(queue: Q, item: I, onWritten = () => {}): Promise<void> {
    onWire++
    const beganAt = performance.now()
    const result = await source.attempt(queue, item, onWritten)
    onWritten()
    const endedAt = performance.now()
    if (onWire-- === limits.maxOnWire) runPacedQueues()
    scheduler.answered(endedAt - beganAt, endedAt)
    if (result === undefined) return drop(queue, item)
    metrics.countProcessed(queueName, source.isSuccess(result) ? 'succeeded' : 'failed')
    recorder.add({ queue, item, result })
    if (limits.slotsHeldUntil === 'answered') releaseSlot(queue)
    claimIfLow(queue)
  }

  function releaseSlot(queue: Q): void {
    scheduler.releaseSlot(queue)
    flushes.wake()
    if (scheduler.slotsHeld === 0) onAllSlotsFree()
  }

  function claimIfLow(queue: Q): void {
    if (source.isRunningLow?.(queue)) claims.wake()
  }

  /** Forgets the item. A later claim, of this worker or another, finds it again. */
  function drop(queue: Q, item: I): void {
    queue.claimed.delete(item.id)
    releaseSlot(queue)
  }

  /** A request ended while the wire was full, so one more may be sent. Begins with another queue each time. */
  function runPacedQueues(): void {
    const all = [...queues.values()]
    wireTurn++
    for (const i of all.keys()) all[(wireTurn + i) % all.length]?.paced?.run()
  }

  /** Gives items that are marked in flight and were not sent the result that the source has for them. */
  function recall(queue: Q, why: 'held' | 'closing'): void {
    for (const item of queue.paced?.takeAll() ?? [])
      if (source.recallResult) recorder.add({ queue, item, result: source.recallResult(why) })
  }

  /** The destination is on hold: returns everything that this worker has claimed for it and not sent. */
  async function hold(queue: Q): Promise<void> {
    recall(queue, 'held')
    try {
      await source.release(takeWaiting([queue]))
    } catch (error) {
      isInDoubt = true
      throw error
    }
  }

  /** Removes the waiting items of these queues. They no longer count as claimed. */
  function takeWaiting(from: Iterable<Q>): I[] {
    return [...from].flatMap((queue) => {
      const items = queue.waiting.splice(0)
      for (const { id } of items) queue.claimed.delete(id)
      return items
    })
  }

  /** Waits until no slot is held, or for as long as the drain may take. */
  async function drain(): Promise<void> {
    if (scheduler.slotsHeld === 0) return
    const drained = new Promise<void>((resolve) => {
      onAllSlotsFree = resolve
    })
    await Promise.race([drained, sleep(limits.drainTimeoutMs, undefined, { ref: false })])
  }

  const flushes = startLoop(log, { fault: `${name}: flush failed, trying again`, afterFailureMs }, flush)
  const claims = startLoop(log, { fault: `${name}: claim failed, trying again`, afterFailureMs }, claim)

  return {
    wake: claims.wake,
    async close() {
      await claims.close()
      const unsent = takeWaiting(queues.values())
      await flushes.close()
      for (const queue of queues.values()) recall(queue, 'closing')
      await source.release(unsent).catch((error) => log.warn({ err: error }, `${name}: release failed at shutdown`))
      await drain()
      if (scheduler.slotsHeld > 0 && source.abort) {
        await source.abort()
        await drain()
      }
      // An unreachable database must not keep the process from exiting: the lease expires by itself.
      await Promise.race([recorder.settled(), sleep(recordTimeoutMs, undefined, { ref: false })])
      recorder.giveUp()
      await source
        .close?.()
        .catch((error) => log.warn({ err: error }, `${name}: closing the source failed at shutdown`))
      await lease.close().catch((error) => log.warn({ err: error }, `${name}: lease could not be released`))
    },
  }
}

/** Waits until at least this long has passed since it last returned. */
function createInterval(ms: number): () => Promise<void> {
  let lastAt = Number.NEGATIVE_INFINITY
  return async () => {
    const restMs = lastAt + ms - performance.now()
    if (restMs > 0) await sleep(restMs)
    lastAt = performance.now()
  }
}
