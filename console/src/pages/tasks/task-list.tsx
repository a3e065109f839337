import { Box, Button, Group, Skeleton, Text, Title } from '@mantine/core'
import { IfMay } from '../../data/session.tsx'
import type { TaskStatus } from '../../records/tasks/task-actions.ts'
import { useTaskForm } from '../../records/tasks/task-form.tsx'
import { TaskItem } from '../../records/tasks/task-item.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import type { Filters } from '../../ui/use-filters.ts'
import { joined, type TaskFilters, type TaskListing, useTasks } from './use-tasks.ts'

/** Overdue tasks first, in a section of their own. */
export function TaskList({
  narrowed,
  status,
  filters,
}: {
  narrowed: TaskFilters
  status: TaskStatus | 'all' | 'overdue'
  filters: Pick<Filters<never>, 'isFiltered' | 'clear'>
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
  return (
    <RecordList
      label="Tasks"
      list={joined(lists)}
      filters={filters}
      empty={{
        title: 'No open tasks',
        text: 'Tasks are follow-ups for your contacts: a call back, an offer, an answer. Agents create them too.',
        action: (
          <IfMay scope="contacts:write">
            <Button onClick={() => openTask()}>New task</Button>
          </IfMay>
        ),
      }}
      paging={null}
    >
      {({ rows, isHidden }) =>
        isHidden ? null : rows ? (
          <>
            {showsLate && <Section title="Overdue" list={late} isLate />}
            {status !== 'overdue' && <Section title={status === 'pending' ? 'To do' : undefined} list={others} />}
          </>
        ) : (
          [1, 2, 3, 4, 5].map((row) => (
            <Group key={row} py="sm" wrap="nowrap" aria-hidden>
              <Skeleton circle height={20} width={20} />
              <Skeleton height={14} width={`${70 - row * 8}%`} />
            </Group>
          ))
        )
      }
    </RecordList>
  )
}

function Section({ title, list, isLate = false }: { title?: string | undefined; list: TaskListing; isLate?: boolean }) {
  if (list.rows.length === 0) return null
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
      {list.hasNextPage && <MoreButton list={list} />}
    </Box>
  )
}
