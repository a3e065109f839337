/** Monotonic time in milliseconds, and timers. Tests pass their own clock. */
export interface Clock {
  now(): number
  /** Calls `run` once, after at least `ms`; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
