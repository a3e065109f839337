/** `last_used_at` has a precision of one minute; this only bounds what is lost when a process is killed. */
const noteEveryMs = 5_000

interface UseNotes<T> {
  note(id: string, value: T): void
  close(): Promise<void>
}

/** Collects which credentials were used and writes them in batches: requests do not wait for it. */
export function createUseNotes<T>(write: (used: Map<string, T>) => Promise<unknown>): UseNotes<T> {
  let used = new Map<string, T>()
  async function flush(): Promise<void> {
    if (used.size === 0) return
    const batch = used
    used = new Map()
    // Informational or written again at the next use: a failure must not reach any request.
    await write(batch).catch(() => {})
  }
  const timer = setInterval(flush, noteEveryMs).unref()
  return {
    note: (id, value) => void used.set(id, value),
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
