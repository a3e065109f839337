import { notifications } from '@mantine/notifications'
import { errorText } from '../../ui/error-text.ts'
import { showDone, showFault } from '../../ui/undo.tsx'

interface Work<T> {
  /** As in `Tagging 12 contacts`. */
  doing: string
  /** As in `12 contacts tagged`. */
  done: string
  act(item: T): Promise<unknown>
  undo?: ((item: T) => Promise<unknown>) | undefined
  after(): unknown
}

/** Concurrent requests: quick, and well below the rate limit. */
const atOnce = 4

/** Runs an action on each item, shows progress, and at the end the errors or an undo button. */
export async function oneByOne<T>(items: T[], work: Work<T>): Promise<void> {
  const tell = (count: number) => `${work.doing}: ${count.toLocaleString()} of ${items.length.toLocaleString()}`
  const id = notifications.show({ loading: true, autoClose: false, withCloseButton: false, message: tell(0) })
  const succeeded: T[] = []
  const faults: unknown[] = []
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work.act(item)
        succeeded.push(item)
      } catch (error) {
        faults.push(error)
      }
      notifications.update({
        id,
        loading: true,
        autoClose: false,
        withCloseButton: false,
        message: tell(items.length - waiting.length),
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  notifications.hide(id)
  const { undo } = work
  const takeBack =
    undo && (() => oneByOne(succeeded, { ...work, doing: 'Undoing', done: 'Undone', act: undo, undo: undefined }))
  if (faults.length === 0) showDone(work.done, takeBack)
  else {
    const failed = `${faults.length} of ${items.length} failed: ${errorText(faults[0])}`
    showFault(new Error(failed))
    if (succeeded.length > 0 && takeBack) showDone(`${succeeded.length} of ${items.length} done`, takeBack)
  }
  await work.after()
}
