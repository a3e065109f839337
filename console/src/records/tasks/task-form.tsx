import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import type { TaskForm } from './task-drawer.tsx'

const TaskDrawer = lazyDialog(async () => (await import('./task-drawer.tsx')).TaskDrawer)

const TaskFormContext = createContext<(form?: TaskForm) => void>(() => {})

/** Opens the task form on any page. */
export const useTaskForm = () => use(TaskFormContext)

export function TaskFormProvider({ children }: { children: ReactNode }) {
  // The number gives each opening a fresh form while the previous one is still closing.
  const [form, setForm] = useState<{ number: number; opened: boolean; for: TaskForm }>()
  const open = useMemo(
    () =>
      (next: TaskForm = {}) =>
        setForm((last) => ({ number: (last?.number ?? 0) + 1, opened: true, for: next })),
    [],
  )
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating away closes the form
  useEffect(() => setForm((last) => last && { ...last, opened: false }), [pathname])
  return (
    <TaskFormContext value={open}>
      {children}
      {form && (
        <TaskDrawer
          key={form.number}
          {...form.for}
          opened={form.opened}
          onClose={() => setForm({ ...form, opened: false })}
        />
      )}
    </TaskFormContext>
  )
}
