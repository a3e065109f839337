import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { useBlocker } from 'react-router'

/** The forms on screen with something in them that is not saved. */
const unsaved = new Set<symbol>()
const watchers = new Set<() => void>()

function mark(form: symbol, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(form)
  else unsaved.delete(form)
  for (const watcher of watchers) watcher()
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

/** Whoever leaves a page with unsaved changes is asked first. */
export function useUnsavedGuard(isDirty: boolean): void {
  // Before the change is seen: whoever leaves right behind it is asked too.
  useLayoutEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    mark(form, true)
    return () => mark(form, false)
  }, [isDirty])
}

/** Asks, once. Also for ways that are no address: to another organization, or between test and live. */
export function mayLeave(): boolean {
  if (unsaved.size === 0) return true
  if (!window.confirm('Leave without saving? What you changed here will be lost.')) return false
  unsaved.clear()
  return true
}

/** Asks for all forms together: the router heeds only one who stands in the way. */
export function UnsavedQuestion() {
  const isNeeded = useSyncExternalStore(subscribe, () => unsaved.size > 0)
  return isNeeded ? <Question /> : null
}

function Question() {
  // Filters and tabs in the address are no leaving.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (mayLeave()) blocker.proceed()
    else blocker.reset()
  }, [blocker])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return null
}
