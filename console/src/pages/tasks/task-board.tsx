import type { api as types } from '@frontdesk/sdk'
import { Anchor, Group, Skeleton, Text, Title } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { Link } from 'react-router'
import { useMembers } from '../../records/members/use-members.ts'
import { Due, isOverdue } from '../../records/tasks/due.tsx'
import { statusLabel, type TaskStatus, useTaskActions } from '../../records/tasks/task-actions.ts'
import { useTaskForm } from '../../records/tasks/task-form.tsx'
import { assigneeText, TaskMenu } from '../../records/tasks/task-item.tsx'
import classes from '../../records/tasks/tasks.module.css'
import { type ListState, RecordList } from '../../ui/record-list.tsx'
import { joined, type TaskFilters, useTasks } from './use-tasks.ts'

type Task = types.Task
const limit = 25

/** A column per status. Cards move by dragging or with their menu. */
export function TaskBoard({ narrowed, isOverdueOnly }: { narrowed: TaskFilters; isOverdueOnly: boolean }) {
  const late = useTasks({ ...narrowed, overdue: true }, { limit })
  const pending = useTasks({ ...narrowed, status: 'pending', overdue: false }, { limit, enabled: !isOverdueOnly })
  const completed = useTasks({ ...narrowed, status: 'completed' }, { limit, enabled: !isOverdueOnly })
  const cancelled = useTasks({ ...narrowed, status: 'cancelled' }, { limit, enabled: !isOverdueOnly })
  const [dragged, setDragged] = useState<Task>()
  const { move } = useTaskActions()
  const drop = (status: TaskStatus) => {
    if (dragged) void move(dragged, status)
    setDragged(undefined)
  }
  const column = { dragged, onDrag: setDragged, onDrop: drop }
  return (
    <div className={classes.board}>
      <Column status="pending" list={joined(isOverdueOnly ? [late] : [late, pending])} {...column} />
      <Column status="completed" list={joined(isOverdueOnly ? [] : [completed])} {...column} />
      <Column status="cancelled" list={joined(isOverdueOnly ? [] : [cancelled])} {...column} />
    </div>
  )
}

function Column({
  status,
  list,
  dragged,
  onDrag,
  onDrop,
}: {
  status: TaskStatus
  list: ListState<Task>
  dragged: Task | undefined
  onDrag(task: Task | undefined): void
  onDrop(status: TaskStatus): void
}) {
  const [isOver, setOver] = useState(false)
  const takes = dragged !== undefined && dragged.status !== status
  return (
    <section
      className={classes.column}
      aria-label={statusLabel(status)}
      data-over={(isOver && takes) || undefined}
      onDragOver={(event) => {
        if (!takes) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onDrop(status)
      }}
    >
      <Group gap="xs" mb="sm">
        <Title order={2} size="h3">
          {statusLabel(status)}
        </Title>
        <Text span size="sm" c="dimmed">
          {list.data ? list.total?.toLocaleString() : ''}
        </Text>
      </Group>
      <RecordList list={list} empty={{ title: 'No tasks' }} isNarrow paging={list.hasNextPage ? undefined : null}>
        {({ rows, isHidden }) =>
          isHidden
            ? null
            : (rows?.map((task) => (
                <BoardCard key={task.id} task={task} isDragged={dragged?.id === task.id} onDrag={onDrag} />
              )) ?? [1, 2, 3].map((row) => <Skeleton key={row} height={64} mb={8} />))
        }
      </RecordList>
    </section>
  )
}

function BoardCard({
  task,
  isDragged,
  onDrag,
}: {
  task: Task
  isDragged: boolean
  onDrag(task: Task | undefined): void
}) {
  const openTask = useTaskForm()
  const { nameOf } = useMembers()
  const assignee = nameOf(task.assignee_id)
  const start = (event: DragEvent) => {
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', task.title)
    onDrag(task)
  }
  return (
    <article
      className={classes.card}
      draggable
      onDragStart={start}
      onDragEnd={() => onDrag(undefined)}
      data-late={isOverdue(task) || undefined}
      data-dragged={isDragged || undefined}
      aria-label={task.title}
    >
      <button
        type="button"
        className={classes.title}
        data-done={task.status !== 'pending' || undefined}
        onClick={() => openTask({ task })}
        dir="auto"
      >
        {task.title}
      </button>
      <TaskMenu task={task} />
      <Group gap="0 12px" style={{ gridColumn: '1 / -1' }}>
        <Anchor component={Link} to={`/contacts/${task.contact.id}`} size="sm" c="dimmed" dir="auto" draggable={false}>
          {task.contact.name || task.contact.phone_number || 'Unnamed contact'}
        </Anchor>
        {task.status === 'pending' && task.due_at && <Due task={task} />}
        {assignee && (
          <Text span size="sm" c="dimmed">
            {assigneeText(assignee)}
          </Text>
        )}
      </Group>
    </article>
  )
}
