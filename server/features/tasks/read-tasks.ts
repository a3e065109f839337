import type { TenantSql } from '../../platform/database.ts'
import { toCursorPage } from '../../platform/http/pagination.ts'
import { parseInstant } from '../../platform/instants.ts'
import { listTasks } from './queries.ts'
import type { Task, TaskFilter } from './schema.ts'

/** A page of matching tasks, newest first. */
export const readTasks = async (sql: TenantSql, filter: TaskFilter) =>
  toCursorPage<Task>(await listTasks(sql, inUtc(filter)), filter.limit)

/** Queries compare instants, whatever offset the caller used. */
function inUtc({ due_before, due_after, ...filter }: TaskFilter): TaskFilter {
  return {
    ...filter,
    ...(due_before !== undefined && { due_before: parseInstant(due_before) as string }),
    ...(due_after !== undefined && { due_after: parseInstant(due_after) as string }),
  }
}
