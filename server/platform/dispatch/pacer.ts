/** At most this multiple of the rate is sent within any one second. */
const maxShare = 1.05
/** A request reaches the network slightly after it is written, so seconds are counted with this margin. */
const windowMs = 1_001
/** After a stall, sending continues at up to this multiple of the rate until it has caught up. */
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
  /** A request was started whose turn began at `turn`, which may be earlier than now. */
  started(turn: number): void
  /** A request that was started is written to its connection. */
  written(now: number): void
}

/**
 * Decides when a queue may send next. Two rules apply.
 *
 * Each send has a turn, at least one step after the turn before it, so that sends delayed by a stall are spread instead
 * of going out at once.
 *
 * At most 1.05 times the rate goes out within any second, counted by the times at which requests are written. A request
 * that has been started and still waits for its connection counts in every second until it is written.
 */
export function createPacer(): Pacer {
  let stepMs = 0
  let maxPerSecond = 1
  let lastTurn = Number.NEGATIVE_INFINITY
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
      const turn = Math.max(lastTurn + stepMs, now - slackMs)
      if (unwritten >= maxPerSecond) return Math.max(turn, now + windowMs)
      // The request that must leave the window before one more fits in.
      const oldest = recent[recent.length + unwritten - maxPerSecond]
      return oldest === undefined ? turn : Math.max(turn, oldest + windowMs)
    },
    started(turn) {
      lastTurn = turn
      unwritten++
    },
    written(now) {
      unwritten--
      recent.push(now)
      while ((recent[0] as number) <= now - windowMs) recent.shift()
    },
  }
}
