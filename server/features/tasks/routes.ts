import { found } from '../../platform/errors.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import { createTask } from './create-task.ts'
import { deleteTask } from './delete-task.ts'
import { findTask } from './queries.ts'
import { readTasks } from './read-tasks.ts'
import { NewTask, Task, TaskChanges, TaskFilter, TaskPage, TaskPath } from './schema.ts'
import { updateTask } from './update-task.ts'

const tag = 'Tasks'

export function taskRoutes(routes: Routes): void {
  routes.read({
    id: 'listTasks',
    method: 'GET',
    url: '/crm/tasks',
    tag,
    summary: 'List tasks',
    scope: 'contacts:read',
    query: TaskFilter,
    response: TaskPage,
    handler: (sql, { query }) => readTasks(sql, query),
  })

  routes.write({
    id: 'createTask',
    method: 'POST',
    url: '/crm/tasks',
    tag,
    summary: 'Create a task',
    scope: 'contacts:write',
    body: NewTask,
    response: Task,
    status: 201,
    errors: [404],
    handler: (tx, { body, principal: { actor } }) => createTask(tx, body, actor),
  })

  routes.read({
    id: 'getTask',
    method: 'GET',
    url: '/crm/tasks/{task_id}',
    tag,
    summary: 'Get a task',
    scope: 'contacts:read',
    params: TaskPath,
    response: Task,
    handler: async (sql, { params }) => found(await findTask(sql, params.task_id), 'Task'),
  })

  routes.write({
    id: 'updateTask',
    method: 'PATCH',
    url: '/crm/tasks/{task_id}',
    tag,
    summary: 'Update a task',
    description: 'Use it to complete or reassign the task. The contact’s timeline records the completion once.',
    scope: 'contacts:write',
    params: TaskPath,
    body: TaskChanges,
    response: Task,
    handler: (tx, { params, body, principal: { actor } }) => updateTask(tx, params.task_id, body, actor),
  })

  routes.write({
    id: 'deleteTask',
    method: 'DELETE',
    url: '/crm/tasks/{task_id}',
    tag,
    summary: 'Delete a task',
    description: 'Entries about it in the contact’s timeline stay.',
    scope: 'contacts:write',
    params: TaskPath,
    response: Deleted,
    handler: (tx, { params }) => deleteTask(tx, params.task_id).then(() => deleted('Task')),
  })
}
