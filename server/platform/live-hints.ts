import type { TenantScope } from './database.ts'
import type { Signals } from './signals.ts'

/**
 * Something to show at once and to forget: who is typing, that a record has changed. It is stored nowhere and may be
 * lost; whatever depends on it also polls or expires.
 */
export interface Hint extends TenantScope {
  type: string
  /** The scope that a receiver needs. */
  requires: string
  /** The only person who receives it; all members by default. */
  userId?: string
  object: Record<string, unknown>
}

export interface LiveHints {
  send(hint: Hint): void
  /** Returns a function that stops listening. */
  on(scope: TenantScope, listener: (hint: Hint) => void): () => void
}

const channel = 'hints'

/** For transactions: `tx.signal(...signalOf(hint))` sends the hint after the commit. */
export const signalOf = (hint: Hint): [string, string] => [channel, JSON.stringify(hint)]

const keyOf = ({ organizationId, livemode }: TenantScope) => `${organizationId} ${livemode}`

/** Passes hints on to the listeners of all nodes. */
export function createLiveHints(signals: Signals): LiveHints & { close(): void } {
  const listeners = new Map<string, Set<(hint: Hint) => void>>()
  const close = signals.on(channel, (payload) => {
    if (payload === undefined) return
    const hint: Hint = JSON.parse(payload)
    for (const listener of listeners.get(keyOf(hint)) ?? []) listener(hint)
  })
  return {
    send: (hint) => signals.send(...signalOf(hint)),
    on(scope, listener) {
      const key = keyOf(scope)
      const all = listeners.get(key) ?? new Set()
      listeners.set(key, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(key)
      }
    },
    close,
  }
}
