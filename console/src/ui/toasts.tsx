import { Notifications, notifications, notificationsStore } from '@mantine/notifications'
import { type FocusEvent, useEffect } from 'react'
import { motionMs } from './theme.ts'

/** Time to read an error, or to reach a button. */
const toastMs = 10_000

/** The toast that has the focus, and its `autoClose` before. */
let focused: { id: string; autoClose: number | boolean } | undefined

/** What had the focus before a toast got it. */
let origin: HTMLElement | undefined

const shown = () => notificationsStore.getState().notifications

/** WCAG 2.2.1: a toast stays while it has the focus. Mantine itself waits for the pointer alone. */
function hold({ target, currentTarget, relatedTarget }: FocusEvent): void {
  if (!currentTarget.contains(relatedTarget)) origin = relatedTarget instanceof HTMLElement ? relatedTarget : undefined
  const toast = shown().find(({ id }) => id && document.getElementById(id)?.contains(target))
  if (!toast?.id || toast.id === focused?.id) return
  resume()
  focused = { id: toast.id, autoClose: toast.autoClose ?? toastMs }
  notifications.update({ ...toast, autoClose: false })
}

function resume(): void {
  const toast = shown().find(({ id }) => id === focused?.id)
  if (toast && focused) notifications.update({ ...toast, autoClose: focused.autoClose })
  focused = undefined
}

function leave({ currentTarget, relatedTarget }: FocusEvent): void {
  if (!currentTarget.contains(relatedTarget)) resume()
}

/** WCAG 2.4.3: a toast that closes while it has the focus returns it. Otherwise the page body gets it. */
function returnFocus(): void {
  if (!focused || shown().some(({ id }) => id === focused?.id)) return
  focused = undefined
  if (!origin?.isConnected) return void focusContent()
  origin.focus()
  focusContentAfter(origin)
}

const focusContent = () => document.getElementById('content')?.focus()

/** The button of a toast may open another page or undo a change, which removes the element that had the focus. */
function focusContentAfter(element: HTMLElement): void {
  const observer = new MutationObserver(() => {
    if (document.activeElement === element) return
    observer.disconnect()
    if (document.activeElement === document.body) focusContent()
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

export function Toasts() {
  useEffect(() => notificationsStore.subscribe(returnFocus), [])
  return (
    <Notifications
      position="bottom-right"
      transitionDuration={motionMs}
      autoClose={toastMs}
      onFocus={hold}
      onBlur={leave}
    />
  )
}
