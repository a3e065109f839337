import Type from 'typebox'
import type { SystemTx, TenantSql, TenantTx } from '../../platform/database.ts'
import type { PartitionRange } from '../../platform/expire-partitions.ts'
import { idsBefore, rowsBeyond } from '../../platform/http/pagination.ts'
import { type Fragment, type Sql, sql } from '../../platform/sql.ts'
import type { Event } from './schema.ts'

/** A row of a page with the total; its columns are null when the page is empty. */
const EventRow = Type.Unsafe<Event & { total_count: number }>({})

interface Stretch {
  /** Undefined for all types. */
  types: string[] | undefined
  /** Ids below this one are past the retention. */
  oldest: string
  /** Ids from this one on, where the caller bounds the past. */
  from: string | undefined
  before: string | undefined
  limit: number
}

/** A page and its total, newest first, in one statement. The page's ids come from an index alone. */
export const listEvents = (tx: TenantSql, stretch: Stretch) =>
  tx.all(EventRow)`
    select page.*, total_count from
      (select ${totalOf(stretch, tx.isLimited)} as total_count) total
      left join (
        select events.id, type, created_at, organization_id, livemode, data
        from events join (${pageOf(stretch)}) found on found.id = events.id
      ) page on true
    order by page.id desc`

const since = ({ oldest, from = oldest }: Stretch): Fragment => sql`id >= ${from > oldest ? from : oldest}`

/**
 * From counters, without the few that are past the retention; events since some time are counted in an index, and so are
 * those that a member with limited access sees.
 */
function totalOf(stretch: Stretch, isLimited: boolean): Fragment {
  const { types, oldest, from } = stretch
  const ofTypes = types === undefined ? sql`true` : sql`type = any(${types}::text[])`
  if (from !== undefined || isLimited) return sql`(select count(*) from events where ${since(stretch)} and ${ofTypes})`
  return sql`((select coalesce(sum(n), 0)::bigint from event_counts where ${ofTypes})
    - (select count(*) from events where id < ${oldest} and ${ofTypes}))`
}

function pageOf(stretch: Stretch): Fragment {
  const { types, before, limit } = stretch
  const newest = sql`${idsBefore(before)} and ${since(stretch)} order by id desc limit ${rowsBeyond(limit)}`
  if (types === undefined) return sql`select id from events where ${newest}`
  // The newest of each type, and the page among those: a rare type costs no more than a common one.
  return sql`
    select of_type.id from unnest(${types}::text[]) wanted (type)
      cross join lateral (select id from events where events.type = wanted.type and ${newest}) of_type
    order by id desc limit ${rowsBeyond(limit)}`
}

/** Returns how many it removed: limited per organization and mode, and in all. */
export const deleteEventsBelow = (tx: SystemTx, id: string, batchSize: number) =>
  tx.run`
    delete from events using (
      select old.* from organizations cross join (values (false), (true)) mode (livemode) cross join lateral (
        select organization_id, livemode, id from events
        where organization_id = organizations.id and livemode = mode.livemode and id < ${id}
        order by id limit ${batchSize}
      ) old limit ${batchSize}
    ) old
    where events.organization_id = old.organization_id and events.livemode = old.livemode and events.id = old.id`

export const uncountEvents = (tx: SystemTx, { first, beyond }: PartitionRange) =>
  tx.run`
    insert into event_counts as c (organization_id, livemode, type, shard, n)
    select organization_id, livemode, type, counter_shard(), -count(*) from events
    where id < ${beyond} and ${first === null ? sql`true` : sql`id >= ${first}`}
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, livemode, type, shard) do update set n = c.n + excluded.n`

export const deleteOwnEventsBelow = (tx: TenantTx, id: string, batchSize: number) =>
  tx.run`delete from events where id = any(array(select id from events where id < ${id} order by id limit ${batchSize}))`

export const deleteEvents = (tx: Sql, ids: string[]) => tx.run`delete from events where id = any(${ids}::uuid[])`
