import type { api as types } from '@frontdesk/sdk'
import { api } from './api.ts'

/** Hints come with the events but are none: they have no id. */
export const isHint = ({ id }: types.Event) => id === undefined

interface Follower {
  /** Tabs with the same name share one stream. */
  name: string
  onEvent(event: types.Event): void
  /** Events before this may have been missed. */
  onGap(): void
}

/**
 * Follows the event stream. A stream holds its connection and browsers open six per host, so one tab holds the stream
 * and broadcasts to the others. When it closes, the next tab resumes after the last event. Returns a function that
 * stops.
 */
export function followEvents({ name, onEvent, onGap }: Follower): () => void {
  const ending = new AbortController()
  let last: string | undefined

  async function listen(signal: AbortSignal, broadcast: (event: types.Event) => void): Promise<void> {
    const stream = api.events.stream({ hints: true }, { signal, lastEventId: last, onStart: onGap })
    try {
      for await (const event of stream) {
        onEvent(event)
        broadcast(event)
      }
    } finally {
      last = stream.lastEventId
    }
  }

  async function shareStream(): Promise<void> {
    const others = new BroadcastChannel(name)
    ending.signal.addEventListener('abort', () => others.close())
    others.onmessage = ({ data: event }: MessageEvent<types.Event>) => {
      if (!isHint(event)) last = event.id
      onEvent(event)
    }
    const toAll = () => listen(ending.signal, (event) => others.postMessage(event))
    const isFirst = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await toAll()
      return lock !== null
    })
    if (isFirst) return
    await navigator.locks.request(name, { signal: ending.signal }, toAll)
  }

  // Pages loaded over plain HTTP have no Web Locks: each visible tab opens its own stream.
  function streamWhileVisible(): void {
    let connection: AbortController | undefined
    const connect = () => {
      connection?.abort()
      if (document.hidden || ending.signal.aborted) return
      connection = new AbortController()
      listen(connection.signal, () => {}).catch(() => {})
    }
    connect()
    document.addEventListener('visibilitychange', connect, { signal: ending.signal })
    ending.signal.addEventListener('abort', connect)
  }

  // The stream reconnects by itself; after a permanent failure the next page load starts again.
  if ('locks' in navigator) shareStream().catch(() => {})
  else streamWhileVisible()
  return () => ending.abort()
}
