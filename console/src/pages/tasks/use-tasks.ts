import type { api as types } from '@frontdesk/sdk'
import { api } from '../../app/api.ts'
import { useCursorList } from '../../parts/use-records.ts'

export type TaskQuery = Omit<types.ListTasksQuery, 'limit' | 'starting_after'>
/** What both views are narrowed to. */
export type Narrowed = Pick<TaskQuery, 'assignee_id' | 'contact_id'>

export const useTasks = (query: TaskQuery, { enabled = true, limit = 50 } = {}) =>
  useCursorList(
    ['tasks', 'list', query, limit],
    (starting_after, signal) => api.tasks.list({ ...query, limit, starting_after }, { signal }),
    { enabled },
  )

export type TaskListing = ReturnType<typeof useTasks>
