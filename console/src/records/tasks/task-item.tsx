import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Anchor, Checkbox, Menu, Text, Tooltip } from '@mantine/core'
import { IconArrowRight, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Moment } from '../../ui/moment.tsx'
import { useMembers } from '../members/use-members.ts'
import { Due } from './due.tsx'
import { taskStatuses, useTaskActions } from './task-actions.ts'
import { useTaskForm } from './task-form.tsx'
import classes from './tasks.module.css'

type Task = types.Task

/** A task in a list. */
export function TaskItem({ task, isContactKnown = false }: { task: Task; isContactKnown?: boolean }) {
  const { nameOf } = useMembers()
  const { move } = useTaskActions()
  const openTask = useTaskForm()
  // The checkbox changes at once, before the list is refetched.
  const [wanted, setWanted] = useState<Task['status']>()
  const status = wanted ?? task.status
  const isDone = status === 'completed'
  const assignee = nameOf(task.assignee_id)
  const toggle = async () => {
    const next = isDone ? 'pending' : 'completed'
    setWanted(next)
    await move(task, next)
    setWanted(undefined)
  }
  return (
    <div className={classes.item}>
      <Tooltip label={isDone ? 'Reopen' : 'Complete'} openDelay={400}>
        <Checkbox
          checked={isDone}
          disabled={status === 'cancelled'}
          onChange={() => void toggle()}
          aria-label={isDone ? `Reopen: ${task.title}` : `Complete: ${task.title}`}
          radius="xl"
          size="sm"
        />
      </Tooltip>
      <div className={classes.words}>
        <button
          type="button"
          className={classes.title}
          data-done={status !== 'pending' || undefined}
          onClick={() => openTask({ task })}
          dir="auto"
        >
          {task.title}
        </button>
        {!isContactKnown && (
          <Anchor
            component={Link}
            to={`/contacts/${task.contact.id}`}
            size="sm"
            c="dimmed"
            dir="auto"
            display="block"
            w="fit-content"
          >
            {task.contact.name || task.contact.phone_number || 'Unnamed contact'}
          </Anchor>
        )}
      </div>
      <div className={classes.due}>
        {status === 'pending' ? (
          <Due task={task} />
        ) : (
          <Text span size="sm" c="dimmed">
            {isDone ? 'Done' : 'Cancelled'} <Moment at={task.completed_at ?? task.updated_at} />
          </Text>
        )}
      </div>
      <Text size="sm" c="dimmed" className={classes.assignee}>
        {assigneeText(assignee)}
      </Text>
      <TaskMenu task={task} />
    </div>
  )
}

export const assigneeText = (name: string | undefined) => (name === 'you' ? 'You' : (name ?? 'Unassigned'))

/** All actions on a task, including those that dragging does on the board. */
export function TaskMenu({ task }: { task: Task }) {
  const { move, remove } = useTaskActions()
  const openTask = useTaskForm()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Actions for ${task.title}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => openTask({ task })}>
          Edit
        </Menu.Item>
        {taskStatuses
          .filter(({ value }) => value !== task.status)
          .map(({ value, label }) => (
            <Menu.Item key={value} leftSection={<IconArrowRight size={14} />} onClick={() => void move(task, value)}>
              Move to {label.toLowerCase()}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={() => remove(task)}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
