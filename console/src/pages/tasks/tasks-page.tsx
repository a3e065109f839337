import { Button, Checkbox, Group, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconLayoutKanban, IconList, IconPlus } from '@tabler/icons-react'
import { useEffect } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { IfMay, useMe } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { ContactSelect } from '../../records/contacts/contact-select.tsx'
import { MemberSelect } from '../../records/members/member-select.tsx'
import { type TaskStatus, taskStatuses } from '../../records/tasks/task-actions.ts'
import { useTaskForm } from '../../records/tasks/task-form.tsx'
import classes from '../../records/tasks/tasks.module.css'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { showFault } from '../../ui/undo.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { TaskBoard } from './task-board.tsx'
import { TaskList } from './task-list.tsx'

export function TasksPage() {
  const filters = useFilters(['status', 'assignee', 'contact', 'overdue'])
  const view = useFilters(['view'])
  const { user } = useMe()
  const openTask = useTaskForm()
  useLinkedTask()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { status, assignee, contact } = filters.values
  const isLate = filters.values.overdue === 'true'
  const narrowed = {
    // `me` in a link means the member who opens it.
    assignee_id: assignee === 'me' ? user?.id : assignee,
    contact_id: contact,
  }
  const isBoard = view.values.view === 'board'
  const wanted = (status ?? 'pending') as TaskStatus | 'all'
  const asked = JSON.parse(
    JSON.stringify({
      ...narrowed,
      status: isBoard || wanted === 'all' || isLate ? undefined : wanted,
      overdue: isLate ? 'true' : undefined,
    }),
  )
  return (
    <Page
      title="Tasks"
      actions={
        <>
          {!isPhone && (
            <ApiRequest method="GET" path={`/crm/tasks?${new URLSearchParams({ ...asked, limit: '50' })}`} />
          )}
          <SegmentedControl
            size="xs"
            aria-label="View"
            value={isBoard ? 'board' : 'list'}
            onChange={(next) => view.set({ view: next === 'board' ? 'board' : undefined })}
            data={[
              { value: 'list', label: <ViewLabel icon={IconList} label="List" /> },
              { value: 'board', label: <ViewLabel icon={IconLayoutKanban} label="Board" /> },
            ]}
          />
          <IfMay scope="contacts:write">
            <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => openTask()}>
              New task
            </Button>
          </IfMay>
        </>
      }
    >
      <FilterBar label="Tasks" filters={filters}>
        {!isBoard && (
          <SegmentedControl
            size="xs"
            aria-label="Status"
            value={isLate ? 'pending' : wanted}
            onChange={(next) => filters.set({ status: next === 'pending' ? undefined : next, overdue: undefined })}
            data={[...taskStatuses, { value: 'all', label: 'All' }]}
          />
        )}
        <Button
          size="xs"
          variant={assignee === 'me' ? 'light' : 'default'}
          aria-pressed={assignee === 'me'}
          onClick={() => filters.set({ assignee: assignee === 'me' ? undefined : 'me' })}
        >
          Mine
        </Button>
        <MemberSelect
          size="xs"
          aria-label="Assigned to"
          placeholder="Anyone"
          clearable
          className={classes.filter}
          value={(assignee === 'me' ? user?.id : assignee) ?? null}
          onChange={(id) => filters.set({ assignee: id === user?.id ? 'me' : (id ?? undefined) })}
        />
        <ContactSelect
          size="xs"
          aria-label="Contact"
          placeholder="Any contact"
          clearable
          className={classes.filter}
          value={contact ?? null}
          onChange={(id) => filters.set({ contact: id ?? undefined })}
        />
        <Checkbox
          size="xs"
          label="Only overdue"
          checked={isLate}
          onChange={(event) =>
            filters.set({ overdue: event.currentTarget.checked ? 'true' : undefined, status: undefined })
          }
        />
      </FilterBar>
      {isBoard ? (
        <TaskBoard narrowed={narrowed} isOverdueOnly={isLate} />
      ) : (
        <TaskList narrowed={narrowed} status={isLate ? 'overdue' : wanted} filters={filters} />
      )}
    </Page>
  )
}

/** `/tasks?task=…` opens a task, for links between members. */
function useLinkedTask() {
  const linked = useFilters(['task'])
  const id = linked.values.task
  const openTask = useTaskForm()
  const { data, error } = useRecord(['tasks', 'one', id], (signal) => api.tasks.get(id as string, { signal }), {
    enabled: id !== undefined,
  })
  const task = data?.id === id ? data : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the task is loaded
  useEffect(() => {
    if (!id || (!task && !error)) return
    if (task) openTask({ task })
    else showFault(error, 'Could not open this task')
    linked.clear()
  }, [id, task, error])
}

function ViewLabel({ icon: Icon, label }: { icon: typeof IconList; label: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Icon size={14} aria-hidden />
      <span>{label}</span>
    </Group>
  )
}
