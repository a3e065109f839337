import { Notifications, notifications, notificationsStore } from '@mantine/notifications'
import type { FocusEvent } from 'react'
import { motionMs } from './theme.ts'

/** Time to read an error, or to reach a button. */
const toastMs = 10_000

/** The toast that has the focus, and the time that it had. */
let focused: { id: string; autoClose: number | boolean } | undefined

const shown = () => notificationsStore.getState().notifications

/** WCAG 2.2.1: a toast stays while it has the focus. Mantine itself waits for the pointer alone. */
function hold({ target }: FocusEvent): void {
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

export const Toasts = () => (
  <Notifications
    position="bottom-right"
    transitionDuration={motionMs}
    autoClose={toastMs}
    onFocus={hold}
    onBlur={leave}
  />
)
