import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database.ts'
import type { Log } from '../log.ts'
import { startLoop } from '../loop.ts'
import { createBatchRecorder } from './batch-recorder.ts'
import { systemClock } from './clock.ts'
import type { Attempted, ClaimWork, DispatchLimits, Item, Queue, Source } from './contract.ts'
import { createFairScheduler } from './fair-scheduler.ts'
import { createPacedQueue } from './paced-queue.ts'
import { takeWorkerLease } from './worker-lease.ts'

const afterFailureMs = 500
/** How often to retry taking an expired lease, and the longest wait between two checks for due items. */
const leaseRetryMs = 100
const idleFlushMs = 500
/** Wait before the next check while the queues are full. */
const fullRetryMs = 50
/** Time for the last writes at shutdown, after the requests have ended. */
const recordTimeoutMs = 2_000

export interface Dispatcher {
  /** Claims immediately, because there may be new items. */
  wake(): void
  /** Finishes what is in flight, returns the rest to the queue and releases the lease. */
  close(): Promise<void>
}

interface Dispatching<Q extends Queue<I>, I extends Item, R> {
  /** Prefix of every log line, such as "webhook delivery". */
  name: string
  database: Database
  log: Log
  source: Source<Q, I, R>
  limits: DispatchLimits
}

/**
 * Claims items, sends them and records their outcome for as long as this node runs. Other workers do the same on the
 * same database. All state is in the database, so the process may be killed at any point.
 */
export async function startDispatcher<Q extends Queue<I>, I extends Item, R>({
  name,
  database,
  log,
  source,
  limits,
}: Dispatching<Q, I, R>): Promise<Dispatcher> {
  const queues = new Map<string, Q>()
  const scheduler = createFairScheduler<Q, I>(limits.slots)
  const lease = await takeWorkerLease({ database, log }, { name, seconds: limits.leaseSeconds })
  let leaseId = lease.id
  /** A statement failed and may or may not have taken effect. */
  let isInDoubt = false
  let lastClaimAt = 0
  let lastFlushAt = 0
  let onWire = 0
  let wireTurn = 0
  let drained = () => {}

  const recorder = createBatchRecorder<Attempted<Q, I, R>>(
    {
      name,
      log,
      groupOf: source.groupOf,
      write: source.record,
      async written(batch) {
        for (const { queue, item } of batch) {
          queue.claimed.delete(item.id)
          if (limits.slotsHeldUntil === 'recorded') release(queue)
          claimIfLow(queue)
        }
        await source.recorded?.(batch, { hold })
      },
    },
    limits.record,
  )

  function release(queue: Q): void {
    scheduler.release(queue)
    flushes.wake()
    if (scheduler.inFlight === 0) drained()
  }

  function countWaiting(): number {
    let waiting = 0
    for (const queue of queues.values()) waiting += queue.waiting.length
    return waiting
  }

  /** Empties this worker's queues; items that were waiting are no longer claimed. */
  function takeWaiting(from: Iterable<Q>): I[] {
    return [...from].flatMap((queue) => {
      const items = queue.waiting.splice(0)
      for (const { id } of items) queue.claimed.delete(id)
      return items
    })
  }

  async function claim(): Promise<number> {
    const sinceLast = performance.now() - lastClaimAt
    if (sinceLast < limits.claimAtMostEveryMs) await sleep(limits.claimAtMostEveryMs - sinceLast)
    lastClaimAt = performance.now()
    if (leaseId !== lease.id) {
      // Claims of the old lease are void: other workers may have them already.
      leaseId = lease.id
      takeWaiting(queues.values())
    }
    const room = limits.maxWaiting - countWaiting()
    if (room <= 0) return fullRetryMs
    const work: ClaimWork<Q, I> = { workerId: leaseId, room, queues, add, setRate, remove }
    try {
      if (isInDoubt) {
        isInDoubt = false
        await source.reconcile(work)
      }
      return await source.claim(work)
    } catch (error) {
      isInDoubt = true
      throw error
    }
  }

  function add(queue: Q, items: I[]): void {
    queues.set(queue.key, queue)
    for (const item of items) queue.claimed.add(item.id)
    queue.waiting.push(...items)
    scheduler.enqueue(queue)
    if (items.length > 0) flushes.wake()
  }

  function setRate(queue: Q, perSecond: number): void {
    queue.leaving ??= createPacedQueue<I>(systemClock, {
      send: (item) => void send(queue, item),
      maySend: () => onWire < limits.maxOnWire && (source.mayLeave?.(queue) ?? true),
    })
    queue.leaving.setRate(perSecond)
  }

  function remove(queue: Q): void {
    queues.delete(queue.key)
    scheduler.forget(queue)
  }

  /** Sends what is due; returns the time until the next item is due. */
  async function flush(): Promise<number> {
    const sinceLast = performance.now() - lastFlushAt
    if (sinceLast < limits.flushEveryMs) await sleep(limits.flushEveryMs - sinceLast)
    lastFlushAt = performance.now()
    if (!lease.isHeld()) return leaseRetryMs
    const taken = scheduler.take(lastFlushAt, limits.flushSize)
    if (taken.length === 0) {
      const now = performance.now()
      return Math.min(idleFlushMs, scheduler.nextReadyAt(now) - now)
    }
    let going = new Set(taken)
    try {
      if (source.markInFlight) {
        const marked = await source.markInFlight(taken)
        going = new Set(marked.going)
        isInDoubt ||= marked.inDoubt
      }
    } catch (error) {
      // The statement failed before any request was sent, so these items are safe to return to the queue.
      isInDoubt = true
      going.clear()
      throw error
    } finally {
      for (const entry of taken) {
        const { queue, item } = entry
        queue.leaving?.cancel()
        if (!going.has(entry)) drop(queue, item)
        else if (queue.leaving) queue.leaving.push(item)
        else void send(queue, item)
      }
    }
    return 0
  }

  async function send(queue: Q, item: I): Promise<void> {
    onWire++
    const beganAt = performance.now()
    const result = await source.attempt(queue, item)
    const endedAt = performance.now()
    if (onWire-- === limits.maxOnWire) leaveInTurn()
    scheduler.heard(endedAt - beganAt, endedAt)
    if (result === undefined) return drop(queue, item)
    recorder.add({ queue, item, result })
    if (limits.slotsHeldUntil === 'answered') release(queue)
    claimIfLow(queue)
  }

  /** Leaves the item to the next claim, of this worker or another. */
  function drop(queue: Q, item: I): void {
    queue.claimed.delete(item.id)
    release(queue)
  }

  /**
   * A request ended while all slots were in use. Paced queues take turns, so that each gets a free slot in its turn.
   */
  function leaveInTurn(): void {
    const all = [...queues.values()]
    wireTurn++
    for (const i of all.keys()) all[(wireTurn + i) % all.length]?.leaving?.run()
  }

  /** Returns items that are marked in flight and were not sent. */
  function recall(queue: Q, why: 'held' | 'closing'): void {
    for (const item of queue.leaving?.takeAll() ?? [])
      if (source.recalled) recorder.add({ queue, item, result: source.recalled(why) })
  }

  /** The destination is on hold: nothing that this worker has claimed for it is sent. */
  async function hold(queue: Q): Promise<void> {
    recall(queue, 'held')
    try {
      await source.release(takeWaiting([queue]))
    } catch (error) {
      isInDoubt = true
      throw error
    }
  }

  function claimIfLow(queue: Q): void {
    if (source.isRunningLow?.(queue)) claims.wake()
  }

  async function drain(timeoutMs: number): Promise<void> {
    if (scheduler.inFlight === 0) return
    const idle = new Promise<void>((resolve) => {
      drained = resolve
    })
    await Promise.race([idle, sleep(timeoutMs, undefined, { ref: false })])
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
      await drain(limits.drainTimeoutMs)
      if (scheduler.inFlight > 0 && source.abort) {
        await source.abort()
        await drain(limits.drainTimeoutMs)
      }
      // An unreachable database must not keep the process from exiting: the lease expires by itself.
      await Promise.race([recorder.settled(), sleep(recordTimeoutMs, undefined, { ref: false })])
      recorder.giveUp()
      await source.close?.().catch((error) => log.warn({ err: error }, `${name}: hand-back failed at shutdown`))
      await lease.close().catch((error) => log.warn({ err: error }, `${name}: lease could not be released`))
    },
  }
}
