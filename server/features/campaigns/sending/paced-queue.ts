import type { Clock } from './clock.ts'
import { createPacer } from './pacer.ts'

/** Something to send, not before `dueAt` of the clock. */
interface Due {
  dueAt: number
}

export interface PacedQueue<T extends Due> {
  readonly length: number
  setRate(perSecond: number): void
  push(item: T): void
  /** When one more could go at the earliest, behind those that are here. */
  earliest(now: number): number
  /** The turn of the first one; undefined while there is none. */
  readonly firstDueAt: number | undefined
  /** Milliseconds between two sends while it catches up. */
  readonly stepMs: number
  /** Everything that was not sent, in order; it is empty afterwards. */
  takeAll(): T[]
  /** Gives each that is here another turn, in order. */
  reschedule(dueAt: (place: number) => number): void
  /** Sends what may go now. To be called when what `maySend` depends on has changed. */
  run(): void
  /** When something was last sent. */
  readonly lastSentAt: number
}

/**
 * Sends what is put in, in order, each when its turn has come and the pace allows it. One timer for the whole queue: after a stall
 * of the event loop it looks at the clock again, instead of firing all the timers that became due meanwhile.
 */
export function createPacedQueue<T extends Due>(
  clock: Clock,
  { send, maySend }: { send(item: T): void; maySend(): boolean },
): PacedQueue<T> {
  const pacer = createPacer()
  const items: T[] = []
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
      pacer.sent(slot, now)
      lastSentAt = now
      send(first)
    }
  }

  return {
    get length() {
      return items.length
    },
    get firstDueAt() {
      return items[0]?.dueAt
    },
    get lastSentAt() {
      return lastSentAt
    },
    get stepMs() {
      return pacer.stepMs
    },
    setRate: pacer.setRate,
    push(item) {
      items.push(item)
      if (items.length === 1) run()
    },
    earliest: (now) => pacer.earliest(now) + items.length * pacer.stepMs,
    takeAll: () => items.splice(0),
    reschedule(dueAt) {
      for (const [place, item] of items.entries()) item.dueAt = dueAt(place)
    },
    run,
  }
}
