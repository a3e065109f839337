/** At most this share of the rate is sent within any one second. */
const maxShare = 1.05
/** A request reaches the network slightly after it is written, so seconds are counted with this margin. */
const windowMs = 1_001
/** After a stall, sending continues at up to this share of the rate until it has caught up. */
const catchUpShare = 1.04
/**
 * Timers and a busy event loop are late by milliseconds: this much may be sent at once. Anything beyond it is spread.
 */
const slackMs = 50

interface Pacer {
  setRate(perSecond: number): void
  /** The earliest time for the next send, as of now. */
  earliest(now: number): number
  /** Milliseconds between two sends while it catches up. */
  readonly stepMs: number
  /** Records that a request was started whose slot began at `slot`. */
  started(slot: number): void
  /** Records that a started request was written to its connection. */
  written(now: number): void
}

/**
 * Keeps a chain of slots: each send comes at least one step after the one before it, so that sends delayed by a stall
 * are spread instead of going out at once. In addition, at most 1.05 times the rate goes out within any second, counted
 * by the times at which requests are written. A request that has been started and still waits for its connection counts
 * in every second until it is written.
 */
export function createPacer(): Pacer {
  let stepMs = 0
  let maxPerSecond = 1
  let lastSlot = Number.NEGATIVE_INFINITY
  /** When the requests of the last second were written, oldest first. */
  const recent: number[] = []
  let unwritten = 0

  return {
    get stepMs() {
      return stepMs
    },
    setRate(perSecond) {
      maxPerSecond = Math.max(1, Math.floor(perSecond * maxShare + 1e-9))
      stepMs = 1000 / (perSecond * catchUpShare)
    },
    earliest(now) {
      const slot = Math.max(lastSlot + stepMs, now - slackMs)
      if (unwritten >= maxPerSecond) return Math.max(slot, now + windowMs)
      const oldest = recent[recent.length + unwritten - maxPerSecond]
      return oldest === undefined ? slot : Math.max(slot, oldest + windowMs)
    },
    started(slot) {
      lastSlot = slot
      unwritten++
    },
    written(now) {
      unwritten--
      recent.push(now)
      while ((recent[0] as number) <= now - windowMs) recent.shift()
    },
  }
}
