import type { Item, Queue, SlotLimits, Taken } from './contract.ts'

/** An answer under 1 s adds a slot; one over 3 s removes 30 % of them, at most once per second. */
const quickMs = 1_000
const slowMs = 3_000
const shrinkBy = 0.7
const shrinkAtMostEveryMs = 1_000

/** A paced item is taken this long before it is due, so that marking it in flight does not delay it. */
const takeAheadMs = 100

interface FairScheduler<Q extends Queue<I>, I extends Item> {
  readonly inFlight: number
  /** The queue may have something to send. */
  enqueue(queue: Q): void
  forget(queue: Q): void
  /** Returns the next items to send, round-robin over the queues. Each holds a slot until `release`. */
  take(now: number, max: number): Taken<Q, I>[]
  /** Adapts the number of slots to the time that an answer took. */
  answered(tookMs: number, now: number): void
  /** A slot of this queue is free again. */
  release(queue: Q): void
  /** When the next paced item may be taken; Infinity if none is waiting. */
  nextReadyAt(now: number): number
}

/**
 * Shares the slots among queues. A queue may hold at most as many slots as are still free: an unresponsive destination
 * takes half of all slots, the next one half of the rest, and a new queue always finds some.
 */
export function createFairScheduler<Q extends Queue<I>, I extends Item>(limits: SlotLimits): FairScheduler<Q, I> {
  /** Queues with items to send, in round-robin order. */
  const ready = new Set<Q>()
  /** Queues whose next item is not due yet. */
  const early = new Set<Q>()
  /** Queues that hold as many slots as are free. */
  const blocked = new Set<Q>()
  let slots = Math.min(limits.initial, limits.max)
  let inFlight = 0
  let shrunkAt = 0

  function unblock(): void {
    let free = slots - inFlight
    for (const queue of blocked) {
      if (free-- <= 0) return
      blocked.delete(queue)
      ready.add(queue)
    }
  }

  /** Takes the queue's first item. If it may not be sent yet, the queue waits among `early` or `blocked`. */
  function takeFrom(queue: Q, now: number): I | undefined {
    const item = queue.waiting[0]
    // A queue at its own limit is checked again when one of its own slots is released.
    if (!item || queue.inFlight >= queue.limit) return undefined
    if (readyAt(queue, item, now) > now + takeAheadMs) {
      early.add(queue)
      return undefined
    }
    if (queue.inFlight >= slots - inFlight) {
      blocked.add(queue)
      return undefined
    }
    queue.waiting.shift()
    queue.paced?.reserve()
    queue.inFlight++
    inFlight++
    return item
  }

  return {
    get inFlight() {
      return inFlight
    },
    enqueue: (queue) => void ready.add(queue),
    forget(queue) {
      for (const set of [ready, early, blocked]) set.delete(queue)
    },
    take(now, max) {
      for (const queue of early) ready.add(queue)
      early.clear()
      const taken: Taken<Q, I>[] = []
      for (const queue of ready) {
        if (taken.length >= max) break
        ready.delete(queue)
        const item = takeFrom(queue, now)
        if (!item) continue
        taken.push({ queue, item })
        // Re-adding moves it to the end: a Set iterates in insertion order and visits it again.
        ready.add(queue)
      }
      return taken
    },
    answered(tookMs, now) {
      if (tookMs < quickMs) slots = Math.min(limits.max, slots + 1)
      else if (tookMs > slowMs && now - shrunkAt > shrinkAtMostEveryMs) {
        slots = Math.max(limits.min, Math.floor(slots * shrinkBy))
        shrunkAt = now
      }
    },
    release(queue) {
      queue.inFlight--
      inFlight--
      ready.add(queue)
      unblock()
    },
    nextReadyAt(now) {
      let next = Number.POSITIVE_INFINITY
      for (const queue of early)
        if (queue.waiting[0]) next = Math.min(next, readyAt(queue, queue.waiting[0], now) - takeAheadMs)
      return next
    },
  }
}

/** When this item of the queue may be sent: once it is due and the queue's rate allows it. */
const readyAt = <I extends Item>({ paced }: Queue<I>, { dueAt }: I, now: number): number =>
  paced ? Math.max(dueAt, paced.earliest(now)) : dueAt
