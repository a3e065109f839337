import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { idsBefore, rowsBeyond } from '../../platform/http/pagination.ts'
import { type Fragment, joinSql, sql } from '../../platform/sql.ts'
import { overdueCount } from './count-overdue.ts'
import { Task, type TaskFilter } from './schema.ts'

const columns = sql`tasks.id, tasks.organization_id, tasks.contact_id, tasks.title, tasks.description, tasks.due_at,
  tasks.assignee_id, tasks.status, tasks.created_by_type, tasks.created_by_id, tasks.completed_at, tasks.livemode,
  tasks.created_at, tasks.updated_at,
  (select json_build_object('id', c.id, 'name', c.name, 'phone_number', c.phone_number)
    from contacts c where c.id = tasks.contact_id) as contact`

/** A row of a page with the total; its columns are null when the page is empty. */
const TaskRow = Type.Unsafe<Task & { total_count: number }>({})

export const findTask = (tx: TenantSql, id: string) => tx.maybe(Task)`select ${columns} from tasks where id = ${id}`

/**
 * Locks the contact before its task, in the same order as deleting a contact with its tasks; the reverse would
 * deadlock.
 */
export const lockTask = (tx: TenantTx, id: string) =>
  tx.maybe(Task)`
    with contact as materialized (
      select id from contacts where id = (select contact_id from tasks where id = ${id}) for no key update
    )
    select ${columns} from contact join tasks on tasks.contact_id = contact.id where tasks.id = ${id}
    for update of tasks`

export const insertTask = (
  tx: TenantTx,
  task: Pick<
    Task,
    'id' | 'contact_id' | 'title' | 'description' | 'due_at' | 'assignee_id' | 'created_by_type' | 'created_by_id'
  >,
) =>
  tx.one(Task)`
    insert into tasks (id, contact_id, title, description, due_at, assignee_id, created_by_type, created_by_id)
    values (${task.id}, ${task.contact_id}, ${task.title}, ${task.description}, ${task.due_at}, ${task.assignee_id},
      ${task.created_by_type}, ${task.created_by_id})
    returning ${columns}`

export const updateTaskRow = (tx: TenantTx, task: Task) =>
  tx.one(Task)`
    update tasks set
      title = ${task.title}, description = ${task.description}, due_at = ${task.due_at},
      assignee_id = ${task.assignee_id}, status = ${task.status},
      completed_at = case when ${task.status} = 'completed' then coalesce(completed_at, now()) end,
      updated_at = now()
    where id = ${task.id}
    returning ${columns}`

export const deleteTaskRow = (tx: TenantTx, id: string) => tx.run`delete from tasks where id = ${id}`

/** A page and its total, newest first, in one statement. The page's ids come from an index alone. */
export const listTasks = (tx: TenantSql, filter: TaskFilter) =>
  tx.all(TaskRow)`
    select page.*, total_count from
      (select ${totalOf(filter)} as total_count) total
      left join (select ${columns} from tasks join (${pageOf(filter)}) found on found.id = tasks.id) page on true
    order by page.id desc`

/** From counters where they suffice, otherwise counted in an index. */
function totalOf(filter: TaskFilter): Fragment {
  const { status, overdue } = filter
  if (isNarrowed(filter) || isNever(filter)) return sql`(select count(*) from tasks where ${conditionsOf(filter)})`
  if (overdue === true) return overdueCount
  const all = sql`(select coalesce(sum(n), 0)::bigint from task_counts where ${status ? hasStatus[status] : sql`true`})`
  const someOverdue = status === undefined || status === 'pending'
  return overdue === false && someOverdue ? sql`${all} - ${overdueCount}` : all
}

function pageOf(filter: TaskFilter): Fragment {
  const newest = sql`and ${idsBefore(filter.starting_after)} order by id desc limit ${rowsBeyond(filter.limit)}`
  if (filter.overdue && !isNarrowed(filter) && !isNever(filter)) return newestOverdue(newest)
  return sql`select id from tasks where ${conditionsOf(filter)} ${newest}`
}

/** The page is among the newest of each past month that has any and the newest overdue ones of this month. */
const newestOverdue = (newest: Fragment): Fragment => sql`
  select id from (
    select of_month.id from (
      select (due at time zone 'UTC')::date as due_month from pending_task_counts
      where grain = 'month' and due < date_trunc('month', now(), 'UTC')
      group by due having sum(n) > 0
    ) month cross join lateral (
      select id from tasks where status = 'pending' and due_month = month.due_month ${newest}
    ) of_month
    union all (
      select id from tasks
      where status = 'pending' and due_month = (date_trunc('month', now() at time zone 'UTC'))::date
        and due_at < now() ${newest}
    )
  ) overdue where true ${newest}`

/** A literal instead of a parameter: there are three values, and the planner knows how many tasks have each. */
const hasStatus = {
  pending: sql`status = 'pending'`,
  completed: sql`status = 'completed'`,
  cancelled: sql`status = 'cancelled'`,
}

function conditionsOf(filter: TaskFilter): Fragment {
  const { status, assignee_id, contact_id, due_before, due_after, overdue } = filter
  if (isNever(filter)) return sql`false`
  const conditions: Fragment[] = []
  if (status !== undefined) conditions.push(hasStatus[status])
  if (assignee_id !== undefined) conditions.push(sql`assignee_id = ${assignee_id}`)
  if (contact_id !== undefined) conditions.push(sql`contact_id = ${contact_id}`)
  if (due_before !== undefined) conditions.push(sql`due_at < ${due_before}`)
  if (due_after !== undefined) conditions.push(sql`due_at > ${due_after}`)
  if (overdue === true) conditions.push(sql`status = 'pending' and due_at < now()`)
  if (overdue === false) conditions.push(sql`(status <> 'pending' or due_at is null or due_at >= now())`)
  return joinSql(conditions, ' and ', sql`true`)
}

/** Whether the filter needs more than the counters know. */
const isNarrowed = ({ assignee_id, contact_id, due_before, due_after }: TaskFilter): boolean =>
  (assignee_id ?? contact_id ?? due_before ?? due_after) !== undefined

/** Only pending tasks are overdue. */
const isNever = ({ status, overdue }: TaskFilter): boolean =>
  overdue === true && status !== undefined && status !== 'pending'
