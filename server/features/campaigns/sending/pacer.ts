/** No more than this share of the rate goes out in any one second, whatever happened before. */
const ceiling = 1.05
/** A pacer counts its own calls; a request may reach the wire a moment later than the one before it did. */
const windowMs = 1_001
/** What was missed is made up for with up to this share of the rate. */
const catchUp = 1.04
/** Timers and a busy event loop are late by milliseconds: this much may go at once. Anything beyond it is spread. */
const slackMs = 50

export interface Pacer {
  setRate(perSecond: number): void
  /** The earliest moment for the next one, as of now. */
  earliest(now: number): number
  /** Milliseconds between two sends while it catches up. */
  readonly stepMs: number
  /** One was sent, which was allowed from `slot` on. */
  sent(slot: number, now: number): void
}

/**
 * Keeps a chain of slots: each send comes at least a step after the one before it, so that what a stall held up is spread and
 * not sent at once. Besides, at most 1.05 times the rate goes out within any second, counted by the moments of the sends themselves.
 */
export function createPacer(): Pacer {
  let stepMs = 0
  let most = 1
  let lastSlot = Number.NEGATIVE_INFINITY
  /** The sends of the last second, oldest first. */
  const recent: number[] = []

  return {
    get stepMs() {
      return stepMs
    },
    setRate(perSecond) {
      most = Math.max(1, Math.floor(perSecond * ceiling + 1e-9))
      stepMs = 1000 / (perSecond * catchUp)
    },
    earliest(now) {
      const slot = Math.max(lastSlot + stepMs, now - slackMs)
      const oldest = recent[recent.length - most]
      return oldest === undefined ? slot : Math.max(slot, oldest + windowMs)
    },
    sent(slot, now) {
      lastSlot = slot
      recent.push(now)
      while ((recent[0] as number) <= now - windowMs) recent.shift()
    },
  }
}
