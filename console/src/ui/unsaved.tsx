import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { useBlocker } from 'react-router'

/** The forms with unsaved changes. */
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

/** Asks before a page with unsaved changes is left. */
export function useUnsavedGuard(isDirty: boolean): void {
  // In a layout effect, so that leaving right after a change is covered too.
  useLayoutEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    mark(form, true)
    return () => mark(form, false)
  }, [isDirty])
}

/** Asks once. Also used for switches that are no navigation: organization and mode. */
export function mayLeave(): boolean {
  if (unsaved.size === 0) return true
  if (!window.confirm('Leave without saving? Your changes will be lost.')) return false
  unsaved.clear()
  return true
}

/** Asks for all forms together, because the router allows only one blocker. */
export function UnsavedQuestion() {
  const isNeeded = useSyncExternalStore(subscribe, () => unsaved.size > 0)
  return isNeeded ? <Question /> : null
}

function Question() {
  // Changed filters and tabs stay on the page.
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
