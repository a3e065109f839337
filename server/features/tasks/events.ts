import { defineEvent } from '../../platform/events.ts'
import { Task } from './schema.ts'

const scope = 'contacts:read'

export const taskCreated = defineEvent('task.created', scope, Task)
export const taskUpdated = defineEvent('task.updated', scope, Task)
export const taskCompleted = defineEvent('task.completed', scope, Task)
export const taskDeleted = defineEvent('task.deleted', scope, Task)

export const taskEvents = [taskCreated, taskUpdated, taskCompleted, taskDeleted]
