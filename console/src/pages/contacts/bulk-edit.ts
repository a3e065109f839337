import type { api as types } from '@frontdesk/sdk'
import { notifications } from '@mantine/notifications'
import { api } from '../../data/api.ts'
import { showDone, showFault } from '../../ui/undo.tsx'

const lookEveryMs = 1_000
const wait = () => new Promise((resolve) => setTimeout(resolve, lookEveryMs))

/** Edits all contacts that match and shows the progress. The edit continues if the member leaves the page. */
export async function editAll(edit: types.NewBulkEdit, doing: string, after: () => unknown): Promise<void> {
  let id: string | undefined
  try {
    let current = await api.contacts.createBulkEdit(edit)
    const message = () => `${doing}: ${current.processed.toLocaleString()} of ${current.total.toLocaleString()}`
    const look = { loading: true, autoClose: false as const, withCloseButton: false }
    id = notifications.show({ ...look, message: message() })
    while (current.state === 'running') {
      await wait()
      current = await api.contacts.getBulkEdit(current.id)
      notifications.update({ ...look, id, message: message() })
    }
    showDone(`${current.processed.toLocaleString()} contacts processed`)
  } catch (error) {
    showFault(error)
  } finally {
    if (id) notifications.hide(id)
    await after()
  }
}
