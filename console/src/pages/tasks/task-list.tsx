import { Box, Button, Group, Skeleton, Text, Title } from '@mantine/core'
import type { TaskStatus } from '../../records/tasks/task-actions.ts'
import { useTaskForm } from '../../records/tasks/task-form.tsx'
import { TaskItem } from '../../records/tasks/task-item.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { EmptyState, ErrorState, NothingMatches } from '../../ui/states.tsx'
import { type TaskFilters, type TaskListing, useTasks } from './use-tasks.ts'

/** Overdue tasks first, in a section of their own. */
export function TaskList({
  narrowed,
  status,
  isFiltered,
  clear,
}: {
  narrowed: TaskFilters
  status: TaskStatus | 'all' | 'overdue'
  isFiltered: boolean
  clear(): void
}) {
  const openTask = useTaskForm()
  const showsLate = status === 'pending' || status === 'overdue'
  const late = useTasks({ ...narrowed, overdue: true }, { enabled: showsLate })
  const others = useTasks(
    {
      ...narrowed,
      ...(status === 'pending'
        ? { status, overdue: false }
        : status === 'completed' || status === 'cancelled'
          ? { status }
          : {}),
    },
    { enabled: status !== 'overdue' },
  )
  const lists = [...(showsLate ? [late] : []), ...(status === 'overdue' ? [] : [others])]
  const failed = lists.find(({ error, data }) => error && !data)
  if (failed) return <ErrorState error={failed.error} retry={() => lists.forEach((list) => void list.refetch())} />
  if (lists.some(({ data }) => !data))
    return [1, 2, 3, 4, 5].map((row) => (
      <Group key={row} py="sm" wrap="nowrap" aria-hidden>
        <Skeleton circle height={20} width={20} />
        <Skeleton height={14} width={`${70 - row * 8}%`} />
      </Group>
    ))
  if (lists.every(({ rows }) => rows.length === 0))
    return isFiltered ? (
      <NothingMatches title="No matching tasks" clear={clear}>
        No tasks match these filters.
      </NothingMatches>
    ) : (
      <EmptyState title="No open tasks" action={<Button onClick={() => openTask()}>New task</Button>}>
        Tasks are follow-ups for your contacts: a call back, an offer, an answer. Agents create them too.
      </EmptyState>
    )
  return (
    <>
      {showsLate && late.rows.length > 0 && <Section title="Overdue" list={late} isLate />}
      {status !== 'overdue' && others.rows.length > 0 && (
        <Section title={status === 'pending' ? 'To do' : undefined} list={others} />
      )}
    </>
  )
}

function Section({ title, list, isLate = false }: { title?: string | undefined; list: TaskListing; isLate?: boolean }) {
  return (
    <Box component="section" mb="lg" aria-label={title}>
      {title && (
        <Group gap="xs" mb={4}>
          <Title order={2} size="h3" {...(isLate && { c: 'var(--mantine-color-error)' })}>
            {title}
          </Title>
          <Text span size="sm" c="dimmed">
            {list.total?.toLocaleString()}
          </Text>
        </Group>
      )}
      {list.rows.map((task) => (
        <TaskItem key={task.id} task={task} />
      ))}
      {list.hasNextPage && <MoreOf list={list} />}
    </Box>
  )
}
