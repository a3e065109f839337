import { useSyncExternalStore } from 'react'

const stepMs = 30_000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick() {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(tick, stepMs)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Words that depend on the time. One clock for all of a page, and only those are drawn anew whose words change. */
export const useWordsOfNow = (words: (now: number) => string): string =>
  useSyncExternalStore(subscribe, () => words(now))
