import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import type { TaskForm } from './task-drawer.tsx'

/** The form comes with its first use. */
const TaskDrawer = lazy(async () => ({ default: (await import('./task-drawer.tsx')).TaskDrawer }))

const TaskFormContext = createContext<(form?: TaskForm) => void>(() => {})

/** Opens the form for a task, from wherever one is. */
export const useTaskForm = () => use(TaskFormContext)

export function TaskFormProvider({ children }: { children: ReactNode }) {
  // The number makes each opening a form of its own, while the last one still slides out.
  const [form, setForm] = useState<{ number: number; opened: boolean; for: TaskForm }>()
  const open = useMemo(
    () =>
      (next: TaskForm = {}) =>
        setForm((last) => ({ number: (last?.number ?? 0) + 1, opened: true, for: next })),
    [],
  )
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever goes elsewhere leaves the form behind
  useEffect(() => setForm((last) => last && { ...last, opened: false }), [pathname])
  return (
    <TaskFormContext value={open}>
      {children}
      {form && (
        <Suspense>
          <TaskDrawer
            key={form.number}
            {...form.for}
            opened={form.opened}
            onClose={() => setForm({ ...form, opened: false })}
          />
        </Suspense>
      )}
    </TaskFormContext>
  )
}
