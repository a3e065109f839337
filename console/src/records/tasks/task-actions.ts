import type { api as types } from '@frontdesk/sdk'
import { modals } from '@mantine/modals'
import { api } from '../../data/api.ts'
import { useRefresh } from '../../data/use-records.ts'
import { showDone, showFault } from '../../ui/undo.tsx'

type Task = types.Task
export type TaskStatus = Task['status']

export const taskStatuses: { value: TaskStatus; label: string }[] = [
  { value: 'pending', label: 'To do' },
  { value: 'completed', label: 'Done' },
  { value: 'cancelled', label: 'Cancelled' },
]

export const statusLabel = (status: TaskStatus) => taskStatuses.find(({ value }) => value === status)?.label ?? status

export const useRefreshTasks = () => useRefresh('tasks', 'activities', 'dashboard')

const doneTexts: Record<TaskStatus, string> = {
  pending: 'Task reopened',
  completed: 'Task completed',
  cancelled: 'Task cancelled',
}

export function useTaskActions() {
  const refresh = useRefreshTasks()

  async function change(task: Task, status: TaskStatus): Promise<void> {
    await api.tasks.update(task.id, { status })
    await refresh()
  }

  return {
    async move(task: Task, status: TaskStatus): Promise<void> {
      if (task.status === status) return
      try {
        await change(task, status)
        showDone(doneTexts[status], () => change(task, task.status))
      } catch (error) {
        showFault(error)
      }
    },
    remove(task: Task): void {
      modals.openConfirmModal({
        title: 'Delete this task?',
        children: `“${task.title}” is permanently deleted. The contact’s timeline keeps its entries.`,
        labels: { confirm: 'Delete task', cancel: 'Cancel' },
        confirmProps: { color: 'red' },
        onConfirm: () =>
          void api.tasks
            .delete(task.id)
            .then(refresh)
            .then(() => showDone('Task deleted'), showFault),
      })
    },
  }
}
