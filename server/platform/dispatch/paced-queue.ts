import type { Clock } from './clock.ts'
import { createPacer } from './pacer.ts'

interface Due {
  /** By the clock: the earliest time it may be sent. */
  dueAt: number
}

/** The last stage before the request: items that are marked in flight wait here for their turn at the queue's rate. */
export interface PacedQueue<T extends Due> {
  /** Unsent, in order. */
  readonly items: readonly T[]
  setRate(perSecond: number): void
  /**
   * Makes `earliest` count an item that is being marked in flight. The reservation ends whether the item is then pushed
   * or dropped.
   */
  reserve(): void
  endReservation(): void
  push(item: T): void
  /** The earliest time for one more item, after those queued or reserved. */
  earliest(now: number): number
  /** Removes and returns all unsent items, in order. */
  takeAll(): T[]
  /** Sends what is due. Call it when the result of `maySend` or the time of an item may have changed. */
  run(): void
  /** By the clock; `-Infinity` before the first. */
  readonly lastSentAt: number
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
      const turn = Math.max(first.dueAt, pacer.earliest(now))
      if (turn > now) {
        cancelTimer = clock.after(turn - now, run)
        return
      }
      items.shift()
      pacer.started(turn)
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
    endReservation() {
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

/** The dispatcher reports a request as written when it ends too: only the first report counts. */
const once = (run: () => void) => {
  let hasRun = false
  return () => {
    if (!hasRun) run()
    hasRun = true
  }
}
