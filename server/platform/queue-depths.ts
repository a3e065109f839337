import Type from 'typebox'
import type { SystemSql } from './database.ts'
import type { QueueDepth } from './metrics.ts'
import { sql } from './sql.ts'

/** What a statement returns for a `QueueGauge`. */
export const QueueDepthRow = Type.Object({
  queue: Type.String(),
  waiting: Type.Integer(),
  oldest_seconds: Type.Number(),
})

const Jobs = Type.Object({
  queue: Type.String(),
  queued: Type.Integer(),
  active: Type.Integer(),
  deferred: Type.Integer(),
  failed: Type.Integer(),
})

/** pg-boss has a queue of its own, for schedules. */
const isOurs = sql`not starts_with(name, '__pgboss__')`

/** From the counts that pg-boss updates every five seconds. */
export const readJobs = (system: SystemSql) =>
  system.all(Jobs)`
    select name as queue, queued_count as queued, active_count as active, deferred_count as deferred,
      failed_count as failed
    from pgboss.queue where ${isOurs}`

/**
 * The oldest job is the next one that a worker would take: it is the first in the index that workers use. Retries and
 * delayed jobs count from the time at which they are due.
 */
export const readJobDepths = (system: SystemSql): Promise<QueueDepth[]> =>
  system.all(QueueDepthRow)`
    select q.name as queue, q.ready_count as waiting,
      coalesce(extract(epoch from now() - next.start_after), 0)::double precision as oldest_seconds
    from (select name, ready_count from pgboss.queue where ${isOurs}) q left join lateral (
      select start_after from pgboss.job
      where name = q.name and state < 'active' and not blocked and start_after <= now()
      order by priority desc, created_on limit 1
    ) next on true`

/** Counting stops here: a subscription that is further behind needs attention, not a number. */
const mostEvents = 10_000

/** Events that these subscriptions have not processed yet. */
export const readSubscriptionDepths = (system: SystemSql, names: string[]): Promise<QueueDepth[]> =>
  system.all(QueueDepthRow)`
    select 'events:' || s.name as queue, unread.n as waiting,
      coalesce(extract(epoch from now() - first.created_at), 0)::double precision as oldest_seconds
    from event_subscriptions s
      cross join lateral (
        select count(*) as n from (
          select from events where (transaction_id, id) > (s.transaction_id, s.event_id) limit ${mostEvents}) counted
      ) unread
      left join lateral (
        select created_at from events where (transaction_id, id) > (s.transaction_id, s.event_id)
        order by transaction_id, id limit 1
      ) first on true
    where s.name = any(${names})`
