import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { exampleFuture, exampleId, Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'

const taskStatuses = ['pending', 'completed', 'cancelled'] as const
const TaskStatus = OneOf(taskStatuses)

const title = Type.String({ minLength: 1, maxLength: 255, examples: ['Send the offer'] })
const description = Type.String({ maxLength: 65_536, examples: ['With the prices we spoke about'] })

export const Task = Type.Object(
  {
    id: Id,
    organization_id: Id,
    contact_id: Id,
    title: Type.String({ examples: ['Send the offer'] }),
    description: Type.String({ examples: ['With the prices we spoke about'] }),
    due_at: Nullable(Instant),
    assignee_id: Nullable(Id),
    status: TaskStatus,
    created_by_type: OneOf(['user', 'ai', 'system'] as const),
    created_by_id: Nullable(Id),
    completed_at: Nullable(Instant),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
    contact: Type.Object({
      id: Id,
      name: Type.String({ examples: ['Ada Lovelace'] }),
      phone_number: Type.String({ examples: ['+14155550100'] }),
    }),
  },
  { title: 'Task' },
)
export type Task = Static<typeof Task>

export const NewTask = Type.Object(
  {
    contact_id: Id,
    title,
    description: Type.Optional(description),
    due_at: Type.Optional(Instant),
    assignee_id: Type.Optional(Type.String({ format: 'uuid', description: 'A member of the organization' })),
  },
  {
    title: 'NewTask',
    examples: [
      {
        contact_id: exampleId('contact_id'),
        title: 'Send the offer',
        description: 'With the prices we spoke about',
        due_at: exampleFuture,
        assignee_id: exampleId('assignee_id'),
      },
    ],
  },
)
export type NewTask = Static<typeof NewTask>

export const TaskChanges = Type.Object(
  {
    status: Type.Optional(TaskStatus),
    title: Type.Optional(title),
    description: Type.Optional(description),
    due_at: Type.Optional(Nullable(Instant)),
    assignee_id: Type.Optional(
      Nullable(Type.String({ format: 'uuid', description: 'A member of the organization; null to unassign' })),
    ),
  },
  { title: 'TaskChanges', examples: [{ status: 'completed', description: 'With the prices we spoke about' }] },
)
export type TaskChanges = Static<typeof TaskChanges>

export const TaskFilter = Type.Object({
  ...CursorQuery,
  status: Type.Optional(TaskStatus),
  assignee_id: Type.Optional(Id),
  contact_id: Type.Optional(Id),
  due_before: Type.Optional(Type.String({ format: 'date-time', description: 'Due before this time' })),
  due_after: Type.Optional(Type.String({ format: 'date-time', description: 'Due after this time' })),
  overdue: Type.Optional(Type.Boolean({ description: 'Whether the task is pending and past its due date' })),
})
export type TaskFilter = Static<typeof TaskFilter>

export const TaskPage = CursorPage(Task)

export const TaskPath = Type.Object({ task_id: Id })
