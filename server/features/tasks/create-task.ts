import type { TenantTx } from '../../platform/database.ts'
import { emit } from '../../platform/events.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import { parseInstant } from '../../platform/instants.ts'
import { recordActivity } from '../contacts/timeline/record-activity.ts'
import { taskCreated } from './events.ts'
import { insertTask } from './queries.ts'
import type { NewTask, Task } from './schema.ts'
import { requireTitle, whatIsMissing } from './task-rules.ts'

export async function createTask(tx: TenantTx, input: NewTask, actor: Actor): Promise<Task> {
  const task = await insertTask(tx, {
    id: newId(),
    contact_id: input.contact_id,
    title: requireTitle(input.title),
    description: input.description ?? '',
    due_at: input.due_at === undefined ? null : (parseInstant(input.due_at) ?? null),
    assignee_id: input.assignee_id ?? null,
    created_by_type: actor.type,
    created_by_id: actor.id,
  }).catch(whatIsMissing)
  const { id, title, contact_id: contactId } = task
  await Promise.all([
    recordActivity(tx, { contactId, type: 'task_created', actor, payload: { task_id: id, title } }),
    emit(tx, taskCreated, task),
  ])
  return task
}
