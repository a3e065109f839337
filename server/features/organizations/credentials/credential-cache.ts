import type { Signals } from '../../../platform/signals.ts'

/**
 * Credentials are read on every request and change rarely: each node caches them for 3 s and evicts them when it is
 * notified of a change. So a revoked key, a closed session or a removed member is refused by every node within 5 s,
 * even when the notification is lost.
 */
const rememberForMs = 3_000
const maxRemembered = 10_000

/** Verbs that end or change a credential send this signal. */
export const credentialsChannel = 'credentials'

/** Whose token it is, and until when that may be cached. */
export interface Credential<T> {
  value: T
  msLeft: number
}

interface Remembered<T> {
  reading: Promise<T | undefined>
  /** Set once the read has completed. */
  value?: T
  readAt: number
  endsAt: number
}

interface CredentialCache<T> {
  get(token: string): Promise<T | undefined>
  close(): void
}

export function createCredentialCache<T>(
  signals: Signals,
  read: (token: string) => Promise<Credential<T> | undefined>,
): CredentialCache<T> {
  const remembered = new Map<string, Remembered<T>>()
  // A read in flight when the signal arrives may have seen the old state: it is evicted too.
  const stopListening = signals.on(credentialsChannel, () => remembered.clear(), { atOnce: true })

  function readAfresh(token: string): Promise<T | undefined> {
    if (remembered.size >= maxRemembered) remembered.clear()
    // The age of an entry counts from the start of its read.
    const entry: Remembered<T> = { reading: Promise.resolve(undefined), readAt: performance.now(), endsAt: Infinity }
    const forget = () => {
      if (remembered.get(token) === entry) remembered.delete(token)
    }
    entry.reading = read(token).then(
      (found) => {
        if (found && found.msLeft > 0) {
          entry.value = found.value
          entry.endsAt = entry.readAt + found.msLeft
          return found.value
        }
        // Unknown tokens are not cached: an attacker could evict the valid ones with random tokens.
        forget()
        return undefined
      },
      (error) => {
        forget()
        throw error
      },
    )
    remembered.set(token, entry)
    return entry.reading
  }

  return {
    async get(token) {
      const entry = remembered.get(token)
      if (!entry || performance.now() - entry.readAt > rememberForMs) return readAfresh(token)
      // Concurrent requests with the same token share one read.
      if (entry.value === undefined) return entry.reading
      // The read itself took time: only the database knows whether the credential has ended.
      return performance.now() < entry.endsAt ? entry.value : readAfresh(token)
    },
    close: stopListening,
  }
}
