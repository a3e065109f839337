import type { Signals } from '../../../platform/signals.ts'

/**
 * Credentials are asked for on every request and change rarely: each node remembers what it read for three seconds,
 * and forgets at once when it hears of a change. So a revoked key, a closed session or a removed member is refused
 * everywhere within five seconds even when the hint is lost.
 */
const rememberForMs = 3_000
const maxRemembered = 10_000

/** Verbs that end or change a credential signal this channel. */
export const credentialsChannel = 'credentials'

/** What a token stands for, and for how long at most. */
export interface Credential<T> {
  value: T
  msLeft: number
}

interface Remembered<T> {
  reading: Promise<T | undefined>
  /** Set once the reading has ended. */
  value?: T
  readAt: number
  endsAt: number
}

export interface CredentialCache<T> {
  get(token: string): Promise<T | undefined>
  close(): void
}

export function createCredentialCache<T>(
  signals: Signals,
  read: (token: string) => Promise<Credential<T> | undefined>,
): CredentialCache<T> {
  const remembered = new Map<string, Remembered<T>>()
  // A reading that is under way when the hint comes may have seen the state before: it is forgotten too.
  const stopListening = signals.on(credentialsChannel, () => remembered.clear(), { atOnce: true })

  function readAfresh(token: string): Promise<T | undefined> {
    if (remembered.size >= maxRemembered) remembered.clear()
    // What was read is as old as the moment the question was asked.
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
        // Unknown tokens are endless; remembering them would let a stranger push out the known ones.
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
      // Many requests may ask for the same token at once: one of them reads for all.
      if (entry.value === undefined) return entry.reading
      return performance.now() < entry.endsAt ? entry.value : undefined
    },
    close: stopListening,
  }
}
