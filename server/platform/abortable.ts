/** Yields what the source yields until the signal aborts, even if the source itself ignores the signal. */
export async function* untilAborted<T>(signal: AbortSignal, source: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value, done } = await abortable(signal, iterator.next())
      if (done) return
      yield value
    }
  } finally {
    // Not awaited: a source that hangs in `next` would hang in `return` too.
    iterator.return?.()?.catch(() => {})
  }
}

/** Resolves like the promise, or rejects with the signal's reason if the signal aborts first. */
export async function abortable<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
