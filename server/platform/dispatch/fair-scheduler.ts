import type { Item, Queue, SlotLimits, Taken } from './contract.ts'

/** An answer under 1 s adds a slot; one over 3 s removes 30 % of them, at most once per second. */
const quickMs = 1_000
const slowMs = 3_000
const shrinkTo = 0.7
const shrinkAtMostEveryMs = 1_000

/** A paced item is taken this long before it is due, so that marking it in flight does not delay it. */
const takeAheadMs = 100

interface FairScheduler<Q extends Queue<I>, I extends Item> {
  /** By all queues. */
  readonly slotsHeld: number
  /** The queue may have something to send: it has its turn after the queues that are ready already. */
  markReady(queue: Q): void
  remove(queue: Q): void
  /** Takes the next items to send, round-robin over the queues. Each holds a slot of its queue until `releaseSlot`. */
  take(now: number, max: number): Taken<Q, I>[]
  /** Adapts the number of slots to the time that an answer took. */
  answered(tookMs: number, now: number): void
  releaseSlot(queue: Q): void
  /** When the next paced item may be taken; Infinity if none is waiting. */
  nextReadyAt(now: number): number
}

/**
 * Shares the slots among queues. A queue may hold at most as many slots as are still free: an unresponsive destination
 * takes half of all slots, the next one half of the rest, and a new queue always finds some.
 */
export function createFairScheduler<Q extends Queue<I>, I extends Item>(limits: SlotLimits): FairScheduler<Q, I> {
  /** Queues to look at, in round-robin order. One without an item to send drops out until `markReady`. */
  const ready = new Set<Q>()
  /** Queues whose next item is not due yet. Looked at again by every `take`. */
  const early = new Set<Q>()
  /** Queues that hold as many slots as are free. Looked at again once a slot is released. */
  const blocked = new Set<Q>()
  let slots = Math.min(limits.initial, limits.max)
  let slotsHeld = 0
  let shrunkAt = 0

  /** Lets as many blocked queues compete as there are free slots. */
  function unblock(): void {
    let free = slots - slotsHeld
    for (const queue of blocked) {
      if (free-- <= 0) return
      blocked.delete(queue)
      ready.add(queue)
    }
  }

  /** Takes the queue's first item with a slot. If it may not be sent yet, the queue waits in `early` or `blocked`. */
  function takeFrom(queue: Q, now: number): I | undefined {
    const item = queue.waiting[0]
    // A queue that has all its slots is ready again when one of them is released.
    if (!item || queue.slotsHeld >= queue.maxSlots) return undefined
    if (readyAt(queue, item, now) > now + takeAheadMs) {
      early.add(queue)
      return undefined
    }
    if (queue.slotsHeld >= slots - slotsHeld) {
      blocked.add(queue)
      return undefined
    }
    queue.waiting.shift()
    queue.paced?.reserve()
    queue.slotsHeld++
    slotsHeld++
    return item
  }

  return {
    get slotsHeld() {
      return slotsHeld
    },
    markReady: (queue) => void ready.add(queue),
    remove(queue) {
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
        slots = Math.max(limits.min, Math.floor(slots * shrinkTo))
        shrunkAt = now
      }
    },
    releaseSlot(queue) {
      queue.slotsHeld--
      slotsHeld--
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

/** When the queue's first item may be sent: once it is due and the queue's rate allows it. */
const readyAt = <I extends Item>({ paced }: Queue<I>, { dueAt }: I, now: number): number =>
  paced ? Math.max(dueAt, paced.earliest(now)) : dueAt
