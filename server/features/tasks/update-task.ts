import type { TenantTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { parseInstant } from '../../platform/instants.ts'
import { recordActivity } from '../contacts/timeline/record-activity.ts'
import { taskCompleted, taskUpdated } from './events.ts'
import { lockTask, updateTaskRow } from './queries.ts'
import type { Task, TaskChanges } from './schema.ts'
import { requireTitle, whatIsMissing } from './task-rules.ts'

/** Changes the given members. Equal values change nothing, so completing twice is recorded once. */
export async function updateTask(tx: TenantTx, id: string, changes: TaskChanges, actor: Actor): Promise<Task> {
  const before = found(await lockTask(tx, id), 'Task')
  const wanted = wantedTask(before, changes)
  if (Object.keys(differences(before, wanted)).length === 0) return before

  const after = await updateTaskRow(tx, wanted).catch(whatIsMissing)
  const completed = before.status !== 'completed' && after.status === 'completed'
  const { title, contact_id: contactId } = after
  await Promise.all([
    completed && recordActivity(tx, { contactId, type: 'task_completed', actor, payload: { task_id: id, title } }),
    emit(tx, taskUpdated, after, differences(before, after)),
    completed && emit(tx, taskCompleted, after, { status: before.status }),
  ])
  return after
}

function wantedTask(before: Task, { status, title, description, due_at, assignee_id }: TaskChanges): Task {
  return {
    ...before,
    ...(status !== undefined && { status }),
    ...(title !== undefined && { title: requireTitle(title) }),
    ...(description !== undefined && { description }),
    ...(due_at !== undefined && { due_at: due_at === null ? null : (parseInstant(due_at) ?? null) }),
    ...(assignee_id !== undefined && { assignee_id: assignee_id?.toLowerCase() ?? null }),
  }
}

const changeable = ['status', 'title', 'description', 'due_at', 'assignee_id', 'completed_at'] as const

/** The previous values of what changes. */
function differences(before: Task, after: Task): Partial<Task> {
  const changed = changeable.filter((name) => before[name] !== after[name])
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}
