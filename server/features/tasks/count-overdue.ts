import { type Fragment, sql } from '../../platform/sql.ts'

const startOf = (grain: 'month' | 'day' | 'hour'): Fragment => sql`date_trunc(${literal[grain]}, now(), 'UTC')`
const literal = { month: sql`'month'`, day: sql`'day'`, hour: sql`'hour'` }

/**
 * An expression that counts pending tasks due before now: past months, then past days of this month, then past hours of
 * today, each from the counters, and the rest of this hour from the index.
 */
export const overdueCount: Fragment = sql`(
  (select coalesce(sum(n), 0) from pending_task_counts where grain = 'month' and due < ${startOf('month')})
  + (select coalesce(sum(n), 0) from pending_task_counts
    where grain = 'day' and due >= ${startOf('month')} and due < ${startOf('day')})
  + (select coalesce(sum(n), 0) from pending_task_counts
    where grain = 'hour' and due >= ${startOf('day')} and due < ${startOf('hour')})
  + (select count(*) from tasks where status = 'pending' and due_at >= ${startOf('hour')} and due_at < now())
)::bigint`
