import type { Hint } from '../../platform/live-hints.ts'

/** Hints for one stream, in order. */
export interface HintQueue {
  /** Removes and returns those that have arrived. */
  take(): Hint[]
  /** Resolves when there is one, or when the signal aborts. */
  arrived(signal: AbortSignal): Promise<void>
}

/** A client that does not read misses the oldest hints: they would be out of date. */
const mostWaiting = 100

export function createHintQueue(): HintQueue & { add(hint: Hint): void } {
  let waiting: Hint[] = []
  let wake = () => {}
  return {
    add(hint) {
      waiting.push(hint)
      if (waiting.length > mostWaiting) waiting.shift()
      wake()
    },
    take() {
      const taken = waiting
      waiting = []
      return taken
    },
    async arrived(signal) {
      if (waiting.length > 0 || signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
    },
  }
}
