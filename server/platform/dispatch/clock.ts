/** Monotonic time in milliseconds, and timers. Tests pass a clock of their own. */
export interface Clock {
  now(): number
  /** Calls `run` once, after at least `ms`; returns how to cancel it. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
