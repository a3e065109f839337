import type { api as types } from '@frontdesk/sdk'
import { Button, Drawer, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useMe } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { Copy } from '../../ui/copy.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { showDone } from '../../ui/undo.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { ContactSelect } from '../contacts/contact-select.tsx'
import { MemberSelect } from '../members/member-select.tsx'
import { DueInput, fromLocal, toLocal } from './due.tsx'
import { type TaskStatus, taskStatuses, useRefreshTasks } from './task-actions.ts'

export interface TaskForm {
  /** The task to edit. Without it the form creates a task. */
  task?: types.Task
  /** The contact that a new task is about. */
  contact?: Pick<types.Contact, 'id' | 'name' | 'phone_number'>
}

export function TaskDrawer({ task, contact, opened, onClose }: TaskForm & { opened: boolean; onClose(): void }) {
  const { user } = useMe()
  const refresh = useRefreshTasks()
  const [before] = useState(() => ({
    contact_id: task?.contact_id ?? contact?.id ?? null,
    title: task?.title ?? '',
    description: task?.description ?? '',
    due_at: toLocal(task?.due_at ?? null),
    // New tasks are mostly assigned to their author.
    assignee_id: task ? task.assignee_id : (user?.id ?? null),
    status: task?.status ?? ('pending' as TaskStatus),
  }))
  const form = useApiForm<typeof before>({
    initialValues: before,
    async submit({ contact_id, title, description, due_at, assignee_id, status }) {
      const due = fromLocal(due_at)
      if (task) {
        // The field has no seconds, so an unchanged date is not sent.
        const isDueTouched = due_at !== before.due_at
        await api.tasks.update(task.id, {
          title,
          description,
          assignee_id,
          status,
          ...(isDueTouched && { due_at: due }),
        })
      } else
        await api.tasks.create({
          contact_id: contact_id ?? '',
          title,
          description,
          ...(due && { due_at: due }),
          ...(assignee_id && { assignee_id }),
        })
      await refresh()
      showDone(task ? 'Task saved' : 'Task created')
      onClose()
    },
  })
  useUnsavedGuard(opened && form.isDirty && !form.isWorking)
  const close = () => {
    if (!form.isDirty || window.confirm('Close without saving? Your changes will be lost.')) onClose()
  }
  return (
    <Drawer opened={opened} onClose={close} position="right" title={task ? 'Edit task' : 'New task'}>
      <form onSubmit={form.onSubmit} noValidate>
        <Stack>
          <TextInput label="Title" withAsterisk data-autofocus dir="auto" {...form.field('title')} />
          <ContactSelect
            label="Contact"
            placeholder="Name or number"
            withAsterisk={!task}
            disabled={task !== undefined}
            description={task && 'The contact of a task cannot be changed'}
            known={task?.contact ?? contact}
            value={form.values.contact_id}
            onChange={(id) => form.set('contact_id', id)}
            error={form.errors.contact_id && 'Choose a contact'}
          />
          <DueInput
            value={form.values.due_at}
            onChange={(value) => form.set('due_at', value)}
            error={form.errors.due_at}
          />
          <MemberSelect
            label="Assigned to"
            placeholder="Unassigned"
            clearable
            value={form.values.assignee_id}
            onChange={(id) => form.set('assignee_id', id)}
            error={form.errors.assignee_id}
          />
          {task && (
            <Select
              label="Status"
              data={taskStatuses}
              value={form.values.status}
              onChange={(status) => status && form.set('status', status as TaskStatus)}
              allowDeselect={false}
            />
          )}
          <Textarea label="Description" autosize minRows={3} maxRows={10} dir="auto" {...form.field('description')} />
          <FormError form={form} />
          <Group justify="flex-end">
            <Button type="submit" loading={form.isWorking}>
              {task ? 'Save' : 'Create task'}
            </Button>
          </Group>
          {task && (
            <Group justify="space-between" wrap="nowrap">
              <Group gap={2} wrap="nowrap">
                <Text size="xs" c="dimmed">
                  Task {task.id.slice(0, 8)}…
                </Text>
                <Copy value={task.id} what="task ID" />
                <Copy value={`${location.origin}/tasks?task=${task.id}`} what="link to the task" icon={IconLink} />
              </Group>
              <ApiRequest method="GET" path={`/crm/tasks/${task.id}`} />
            </Group>
          )}
        </Stack>
      </form>
    </Drawer>
  )
}
