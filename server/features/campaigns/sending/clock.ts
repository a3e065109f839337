/** Time that only moves forward, in milliseconds, and something to do later. */
export interface Clock {
  now(): number
  /** Calls it once, after at least so long; answers how to call it off. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
