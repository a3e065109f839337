import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import classes from './inbox.module.css'
import { PanelSection } from './panel-section.tsx'
import { complain } from './tickets.ts'

const most = 5

/** Open tasks of the contact. */
export function ContactTasks({ contactId }: { contactId: string }) {
  const refresh = useRefresh('tasks')
  const [isAdding, setAdding] = useState(false)
  const { data } = useRecord(['tasks', 'of', contactId], (signal) =>
    api.tasks.list({ contact_id: contactId, status: 'pending', limit: most }, { signal }),
  )
  const complete = async (id: string) => {
    try {
      await api.tasks.update(id, { status: 'completed' })
    } catch (error) {
      complain('Could not complete the task', error)
    }
    await refresh()
  }
  const tasks = data?.data ?? []
  const more = (data?.total_count ?? 0) - tasks.length
  return (
    <PanelSection
      title="Open tasks"
      action={
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={12} />}
          onClick={() => setAdding(true)}
          disabled={isAdding}
        >
          Add
        </Button>
      }
    >
      <Stack gap={6}>
        {tasks.map((task) => (
          <Group key={task.id} gap="xs" wrap="nowrap" align="flex-start">
            <Checkbox
              size="xs"
              mt={2}
              checked={false}
              onChange={() => void complete(task.id)}
              aria-label={`Complete: ${task.title}`}
            />
            <div className={classes.task}>
              <Text size="sm" dir="auto">
                {task.title}
              </Text>
              {task.due_at && (
                <Text size="xs" c={Date.parse(task.due_at) < Date.now() ? 'red' : 'dimmed'}>
                  due <Moment at={task.due_at} />
                </Text>
              )}
            </div>
          </Group>
        ))}
        {data && tasks.length === 0 && !isAdding && (
          <Text size="sm" c="dimmed">
            No open tasks.
          </Text>
        )}
        {more > 0 && (
          <Anchor component={Link} to={`/contacts/${contactId}`} size="xs">
            {more} more
          </Anchor>
        )}
        {isAdding && <NewTask contactId={contactId} onDone={refresh} onClose={() => setAdding(false)} />}
      </Stack>
    </PanelSection>
  )
}

function NewTask({ contactId, onDone, onClose }: { contactId: string; onDone(): Promise<void>; onClose(): void }) {
  const [title, setTitle] = useState('')
  const [isWorking, setWorking] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!title.trim()) return
    setWorking(true)
    try {
      await api.tasks.create({ contact_id: contactId, title: title.trim() })
      await onDone()
      onClose()
    } catch (error) {
      complain('Could not add the task', error)
      setWorking(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          autoFocus
          value={title}
          maxLength={255}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
          placeholder="Task title"
          aria-label="New task"
        />
        <Button size="xs" type="submit" loading={isWorking} disabled={!title.trim()}>
          Add
        </Button>
      </Group>
    </form>
  )
}
