const cancelsOf = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Registers one listener per signal, however many requests it may cancel: an AbortSignal scans all its listeners
 * whenever one is added or removed, and a campaign has a thousand requests in flight.
 */
export function onAbort(signal: AbortSignal, cancel: () => void): () => void {
  const cancels = cancelsOf.get(signal) ?? new Set()
  if (!cancelsOf.has(signal)) {
    cancelsOf.set(signal, cancels)
    const cancelAll = () => {
      for (const cancel of cancels) cancel()
    }
    signal.addEventListener('abort', cancelAll, { once: true })
  }
  cancels.add(cancel)
  return () => cancels.delete(cancel)
}
