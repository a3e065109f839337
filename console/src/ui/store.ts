import { useSyncExternalStore } from 'react'

/** A value outside of React, which outlives the pages that show it. */
export function createStore<T>(initial: T) {
  let value = initial
  const watchers = new Set<() => void>()
  const subscribe = (watcher: () => void) => {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }
  return {
    get: () => value,
    set(next: T): void {
      value = next
      for (const watcher of watchers) watcher()
    },
    /** What `select` returns must stay the same object until the value changes. */
    useValue: <S>(select: (value: T) => S): S => useSyncExternalStore(subscribe, () => select(value)),
  }
}
