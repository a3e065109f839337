import { useEffect, useLayoutEffect } from 'react'
import { type BlockerFunction, useBlocker } from 'react-router'

/** The forms with unsaved changes. */
const unsaved = new Set<symbol>()

// Registered only while it is needed: pages with this listener are not kept for the back button.
const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault()
function updateListener(): void {
  if (unsaved.size > 0) window.addEventListener('beforeunload', askBrowser)
  else window.removeEventListener('beforeunload', askBrowser)
}

/** Asks before a page with unsaved changes is left. */
export function useUnsavedGuard(isDirty: boolean): void {
  // In a layout effect, so that leaving right after a change is covered too.
  useLayoutEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    unsaved.add(form)
    updateListener()
    return () => {
      unsaved.delete(form)
      updateListener()
    }
  }, [isDirty])
}

export type Leave = { proceed(): void; reset(): void }

/** Pages that keep what was entered, such as a campaign draft, ask their own question. */
const questions = new Set<(leave: Leave) => void>()

/** Asks the page's own question before the page is left. */
export function useLeaveQuestion(isDirty: boolean, ask: (leave: Leave) => void): void {
  useLayoutEffect(() => {
    if (!isDirty) return
    questions.add(ask)
    return () => void questions.delete(ask)
  }, [isDirty, ask])
}

/** Asks once. Also used for switches that are no navigation: organization and mode. */
export function mayLeave(): boolean {
  if (unsaved.size === 0) return true
  if (!window.confirm('Leave without saving? Your changes will be lost.')) return false
  unsaved.clear()
  updateListener()
  return true
}

// Changed filters and tabs stay on the page.
const isLeaving: BlockerFunction = ({ currentLocation, nextLocation }) =>
  unsaved.size + questions.size > 0 && currentLocation.pathname !== nextLocation.pathname

/**
 * Asks for all forms together, because the router allows only one blocker. The blocker is always registered: useBlocker
 * needs two renders for it, and a form could be left between its first change and the second render.
 */
export function UnsavedQuestion() {
  const blocker = useBlocker(isLeaving)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const [ask] = questions
    if (ask && unsaved.size === 0) ask(blocker)
    else if (mayLeave()) blocker.proceed()
    else blocker.reset()
  }, [blocker])
  return null
}
