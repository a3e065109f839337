/** Messages of a socket for one consumer, in order. */
export interface Arrivals<T> extends AsyncIterable<T> {
  push(value: T): void
  /** The consumer gets this error after what has arrived. The first call of `end` and `fail` wins. */
  fail(error: unknown): void
  end(): void
}

/** With a signal, waiting for the next message throws its reason once it is aborted. */
export function createArrivals<T>(signal?: AbortSignal): Arrivals<T> {
  const arrived: T[] = []
  let ending: { error?: unknown } | undefined
  let wake = Promise.withResolvers<void>()
  return {
    push(value) {
      if (ending) return
      arrived.push(value)
      wake.resolve()
    },
    fail(error) {
      ending ??= { error }
      wake.resolve()
    },
    end() {
      ending ??= {}
      wake.resolve()
    },
    async *[Symbol.asyncIterator]() {
      const withdraw = () => wake.resolve()
      signal?.addEventListener('abort', withdraw, { once: true })
      try {
        for (;;) {
          signal?.throwIfAborted()
          if (arrived.length > 0) {
            yield arrived.shift() as T
            continue
          }
          if (ending && 'error' in ending) throw ending.error
          if (ending) return
          await wake.promise
          wake = Promise.withResolvers()
        }
      } finally {
        signal?.removeEventListener('abort', withdraw)
      }
    },
  }
}
