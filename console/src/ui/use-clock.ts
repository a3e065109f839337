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

/** Text that depends on the time. All texts share one clock, and only those that change re-render. */
export const useTextAt = (words: (now: number) => string): string => useSyncExternalStore(subscribe, () => words(now))
