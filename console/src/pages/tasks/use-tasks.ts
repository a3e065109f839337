import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import type { ListState } from '../../ui/record-list.tsx'

type TaskQuery = Omit<types.ListTasksQuery, 'limit' | 'starting_after'>
/** The filters of both views. */
export type TaskFilters = Pick<TaskQuery, 'assignee_id' | 'contact_id'>

export function useTasks(query: TaskQuery, { enabled = true, limit = 50 } = {}) {
  const list = useCursorList(
    ['tasks', 'list', query, limit],
    (starting_after, signal) => api.tasks.list({ ...query, limit, starting_after }, { signal }),
    { enabled },
  )
  // The service returns the newest first. Once all open tasks are loaded, they are sorted by due date.
  const isByDue = query.overdue !== undefined && !list.hasNextPage
  return { ...list, rows: isByDue ? [...list.rows].sort(byDue) : list.rows }
}

const byDue = (one: types.Task, other: types.Task) =>
  (one.due_at ? Date.parse(one.due_at) : Number.MAX_VALUE) -
  (other.due_at ? Date.parse(other.due_at) : Number.MAX_VALUE)

export type TaskListing = ReturnType<typeof useTasks>

/** Several lists as one: loaded when all are, and continued one after the other. */
export function joined(lists: TaskListing[]): ListState<types.Task> {
  const next = lists.find(({ hasNextPage }) => hasNextPage)
  return {
    data: lists.every(({ data }) => data),
    isPlaceholderData: lists.some(({ isPlaceholderData }) => isPlaceholderData),
    error: lists.find(({ error }) => error)?.error,
    refetch: () => lists.forEach((list) => void list.refetch()),
    rows: lists.flatMap(({ rows }) => rows),
    total: lists.reduce((sum, { total = 0 }) => sum + total, 0),
    hasNextPage: next !== undefined,
    isFetchingNextPage: next?.isFetchingNextPage ?? false,
    fetchNextPage: async () => next?.fetchNextPage(),
  }
}
