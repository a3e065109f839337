/** At most this share of the rate is sent within any one second. */
const maxShare = 1.05
/**
 * The pacer counts its own calls; a request may reach the network slightly later than the call, so seconds are counted
 * with this margin.
 */
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
  /** Records that a request was sent whose slot began at `slot`. */
  sent(slot: number, now: number): void
}

/**
 * Keeps a chain of slots: each send comes at least one step after the one before it, so that sends delayed by a stall
 * are spread instead of going out at once. In addition, at most 1.05 times the rate goes out within any second, counted
 * by the actual sends.
 */
export function createPacer(): Pacer {
  let stepMs = 0
  let maxPerSecond = 1
  let lastSlot = Number.NEGATIVE_INFINITY
  /** The sends of the last second, oldest first. */
  const recent: number[] = []

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
      const oldest = recent[recent.length - maxPerSecond]
      return oldest === undefined ? slot : Math.max(slot, oldest + windowMs)
    },
    sent(slot, now) {
      lastSlot = slot
      recent.push(now)
      while ((recent[0] as number) <= now - windowMs) recent.shift()
    },
  }
}
