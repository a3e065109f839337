import { notifications } from '@mantine/notifications'
import { errorText } from './error-text.ts'
import { showWithButton, type ToastAction } from './toast-with-button.tsx'

/** A toast that only confirms closes sooner than an error or a toast with a button. */
const confirmationMs = 5_000

/** Confirms an action and offers to undo it. */
export function showDone(message: string, undo?: () => Promise<unknown>): void {
  if (!undo) return void notifications.show({ message, autoClose: confirmationMs })
  const run = () => void undo().catch((error: unknown) => showFault(error, 'Could not undo'))
  showWithButton({ message }, { label: 'Undo', run })
}

export function showFault(error: unknown, title = 'Something went wrong', action?: ToastAction): void {
  const fault = { color: 'red', title, message: errorText(error) }
  if (action) showWithButton(fault, action)
  else notifications.show(fault)
}
