import type { TenantTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { recordAction } from '../audit/record-action.ts'
import { taskDeleted } from './events.ts'
import { deleteTaskRow, lockTask } from './queries.ts'

/** The entry in the contact's timeline stays. */
export async function deleteTask(tx: TenantTx, id: string): Promise<void> {
  const task = found(await lockTask(tx, id), 'Task')
  await Promise.all([deleteTaskRow(tx, id), emit(tx, taskDeleted, task), recordAction(tx, 'task.deleted', { id })])
}
