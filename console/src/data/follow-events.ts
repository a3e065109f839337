import type { api as types } from '@frontdesk/sdk'
import { api } from './api.ts'

export interface Follower {
  /** Tabs of the same name share what they hear. */
  name: string
  hear(event: types.Event): void
  /** Something may have happened that nobody heard of. */
  miss(): void
}

/**
 * Tells what happens as it happens. A stream keeps its line for good and a browser opens six to a service: one tab
 * listens and tells the others, and when it is closed the next one goes on where it was. Answers how to stop.
 */
export function followEvents({ name, hear, miss }: Follower): () => void {
  const ending = new AbortController()
  let last: string | undefined

  async function listen(signal: AbortSignal, tell: (event: types.Event) => void): Promise<void> {
    const stream = api.events.stream({}, { signal, lastEventId: last })
    try {
      for await (const event of stream) {
        hear(event)
        tell(event)
      }
    } finally {
      last = stream.lastEventId
    }
  }

  async function listenInTurn(): Promise<void> {
    const others = new BroadcastChannel(name)
    ending.signal.addEventListener('abort', () => others.close())
    others.onmessage = ({ data: event }: MessageEvent<types.Event>) => {
      last = event.id
      hear(event)
    }
    const toAll = () => listen(ending.signal, (event) => others.postMessage(event))
    const isFirst = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await toAll()
      return lock !== null
    })
    if (isFirst) return
    await navigator.locks.request(name, { signal: ending.signal }, () => {
      if (!last) miss()
      return toAll()
    })
  }

  // Pages that did not come by HTTPS have no turns to take: each listens for itself while somebody looks at it.
  function listenInSight(): void {
    let line: AbortController | undefined
    const look = () => {
      line?.abort()
      if (document.hidden || ending.signal.aborted) return
      line = new AbortController()
      listen(line.signal, () => {}).catch(() => {})
    }
    look()
    document.addEventListener('visibilitychange', look, { signal: ending.signal })
    ending.signal.addEventListener('abort', look)
  }

  // The stream reconnects by itself; what it cannot mend, the next visit to a page does.
  if ('locks' in navigator) listenInTurn().catch(() => {})
  else listenInSight()
  return () => ending.abort()
}
