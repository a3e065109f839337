import type { Clock } from './clock.ts'
import { createPacer } from './pacer.ts'

interface Due {
  /** By the clock: the earliest time it may be sent. */
  dueAt: number
}

export interface PacedQueue<T extends Due> {
  /** Unsent, in order. */
  readonly items: readonly T[]
  setRate(perSecond: number): void
  /** Reserves room for an item that will be pushed, so that `earliest` counts it; `cancel` if it will not. */
  reserve(): void
  cancel(): void
  push(item: T): void
  /** The earliest time for one more item, after those queued or reserved. */
  earliest(now: number): number
  /** Removes and returns all unsent items, in order. */
  takeAll(): T[]
  /** Sends what is due. Call it when the result of `maySend` or the time of an item may have changed. */
  run(): void
  readonly lastSentAt: number
}

const once = (run: () => void) => {
  let hasRun = false
  return () => {
    if (!hasRun) run()
    hasRun = true
  }
}

/**
 * Sends items in order, each when it is due and the pace allows it. One timer serves the whole queue: after a stall of
 * the event loop it reads the clock again, instead of firing every timer that became due meanwhile. `send` calls
 * `onWritten` when the request is written to its connection, or has failed: the pace counts it from then on.
 */
export function createPacedQueue<T extends Due>(
  clock: Clock,
  { send, maySend }: { send(item: T, onWritten: () => void): void; maySend(): boolean },
): PacedQueue<T> {
  const pacer = createPacer()
  const items: T[] = []
  let reserved = 0
  let lastSentAt = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void) | undefined

  function run() {
    cancelTimer?.()
    cancelTimer = undefined
    for (let first = items[0]; first && maySend(); first = items[0]) {
      const now = clock.now()
      const slot = Math.max(first.dueAt, pacer.earliest(now))
      if (slot > now) {
        cancelTimer = clock.after(slot - now, run)
        return
      }
      items.shift()
      pacer.started(slot)
      lastSentAt = now
      send(
        first,
        once(() => pacer.written(clock.now())),
      )
    }
  }

  return {
    items,
    get lastSentAt() {
      return lastSentAt
    },
    setRate: pacer.setRate,
    reserve() {
      reserved++
    },
    cancel() {
      reserved--
    },
    push(item) {
      items.push(item)
      if (items.length === 1) run()
    },
    earliest: (now) => pacer.earliest(now) + (items.length + reserved) * pacer.stepMs,
    takeAll: () => items.splice(0),
    run,
  }
}
