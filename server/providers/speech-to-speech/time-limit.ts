/**
 * Calls back after this time unless it is cleared. Messages that arrived while this process was busy are read first: its
 * own delay is not the provider's.
 */
export function startTimeLimit(ms: number, onLate: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    immediate = setImmediate(onLate)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}
