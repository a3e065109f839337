import pg, { type ClientConfig } from 'pg'
import { serviceConnection } from './connection.ts'
import { guard } from './guard-listeners.ts'

/**
 * Hints between nodes over LISTEN/NOTIFY: "there are new events", "this key was revoked". A hint may be lost, so
 * listeners also poll.
 *
 * Hints are sent after the commit and in batches, never inside the transaction: PostgreSQL serializes the commits of
 * transactions that notify, which would prevent group commit for every write.
 */
export interface Signals {
  send(channel: string, payload?: string): void
  /**
   * Called with each payload, and with undefined when hints may have been missed. An `atOnce` listener also gets this
   * node's own hints before they are sent, for state that must be current when the sender's request is answered.
   */
  on(channel: string, listener: (payload: string | undefined) => void, options?: { atOnce?: boolean }): () => void
  close(): Promise<void>
}

const bundleForMs = 20
const reconnectAfterMs = 500
/** A connection that is silent for this long is dead. */
const queryTimeoutMs = 10_000

export function createSignals(connection: ClientConfig, onError: (error: Error) => void): Signals {
  const listeners = new Map<string, Set<(payload: string | undefined) => void>>()
  const atOnceListeners = new Map<string, Set<(payload: string | undefined) => void>>()
  const outgoing = new Set<string>()
  let client: pg.Client | undefined
  let replaceClient: (error: Error) => void = onError
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const call = (channel: string, payload: string | undefined) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload)
  }

  async function connect(): Promise<void> {
    if (closed) return
    const fresh = new pg.Client({
      ...serviceConnection(connection),
      application_name: 'frontdesk signals',
      query_timeout: queryTimeoutMs,
    })
    let lost = false
    const reconnect = (error?: Error) => {
      if (lost) return
      lost = true
      client = undefined
      if (error && !closed) onError(error)
      fresh.end().catch(() => {})
      if (!closed) setTimeout(connect, reconnectAfterMs).unref()
    }
    fresh.on('error', reconnect)
    fresh.on('end', () => reconnect())
    fresh.on('notification', ({ payload = '' }) => {
      const at = payload.indexOf(' ')
      if (at < 0) call(payload, undefined)
      else call(payload.slice(0, at), payload.slice(at + 1))
    })
    try {
      await fresh.connect()
      await fresh.query('listen frontdesk')
      client = fresh
      replaceClient = reconnect
      for (const channel of listeners.keys()) call(channel, undefined)
      flush()
    } catch (error) {
      reconnect(error as Error)
    }
  }

  let sending: Promise<void> | undefined

  function flush(): void {
    timer = undefined
    if (!client || outgoing.size === 0 || sending) return
    const payloads = [...outgoing]
    outgoing.clear()
    sending = client
      .query('select pg_notify($1, payload) from unnest($2::text[]) payload', ['frontdesk', payloads])
      .then(() => {}, replaceClient)
      .finally(() => {
        sending = undefined
        if (outgoing.size > 0) timer ??= setTimeout(flush, bundleForMs).unref()
      })
  }

  const connecting = connect()
  return {
    send(channel, payload) {
      for (const listener of atOnceListeners.get(channel) ?? []) listener(payload)
      outgoing.add(payload === undefined ? channel : `${channel} ${payload}`)
      timer ??= setTimeout(flush, bundleForMs).unref()
    },
    on(channel, given, { atOnce = false } = {}) {
      // A listener runs in the database connection's event: its exception must end neither the connection nor the
      // process.
      const listener = guard(given, (error) => onError(error as Error))
      const sets = (atOnce ? [listeners, atOnceListeners] : [listeners]).map((each) => {
        const set = each.get(channel) ?? new Set()
        each.set(channel, set.add(listener))
        return set
      })
      return () => {
        for (const set of sets) set.delete(listener)
      }
    },
    async close() {
      await connecting
      clearTimeout(timer)
      await sending
      flush()
      await sending
      closed = true
      await client?.end().catch(() => {})
    },
  }
}
