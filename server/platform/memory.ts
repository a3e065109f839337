/** Results that are shared by name for a while. */
interface Memory<T> {
  /** The result of an earlier read that is recent enough, or of this one. Failures are forgotten: they may be temporary. */
  recall(name: string, read: () => Promise<T>): Promise<T>
  /** Forgets one name, or all. */
  forget(name?: string): void
}

interface MemoryOptions<T> {
  forMs: number
  /** With as many names it forgets all of them. */
  most: number
  /** Whether a result is worth keeping; by default each is. */
  isKept?(result: T): boolean
}

export function createMemory<T>({ forMs, most, isKept = () => true }: MemoryOptions<T>): Memory<T> {
  const known = new Map<string, { reading: Promise<T>; readAt: number }>()
  return {
    recall(name, read) {
      const earlier = known.get(name)
      if (earlier && performance.now() - earlier.readAt < forMs) return earlier.reading
      if (known.size >= most) known.clear()
      const entry = { reading: read(), readAt: performance.now() }
      known.set(name, entry)
      const forget = () => known.get(name) === entry && known.delete(name)
      entry.reading.then((result) => isKept(result) || forget(), forget)
      return entry.reading
    },
    forget: (name) => void (name === undefined ? known.clear() : known.delete(name)),
  }
}
