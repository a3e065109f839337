/** What a source yields, until the signal says that nobody waits any more, however little the source heeds it. */
export async function* untilAborted<T>(signal: AbortSignal, source: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value, done } = await abortable(signal, iterator.next())
      if (done) return
      yield value
    }
  } finally {
    // Not awaited: a source that hangs would hang here too.
    iterator.return?.()?.catch(() => {})
  }
}

/** The promise's value, or the signal's reason if that comes first. */
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
