import type { TenantSql } from '../../../platform/database.ts'
import { beforeEverything, rowsBeyond } from '../../../platform/http/pagination.ts'
import { lowestId } from '../../../platform/ids.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'
import { qualifiedColumns } from '../queries.ts'
import { stages } from '../schema.ts'
import { ContactRow, filterConditions, jsonFilters, listed, type PageConditions, totalOf } from './conditions.ts'
import type { ContactFilter } from './schema.ts'

/**
 * A page in another order. The cursor's own values are looked up: the next page continues at the same place, also after
 * changes.
 */
export function sortContacts(tx: TenantSql, filter: PageConditions, sort: NonNullable<ContactFilter['sort']>) {
  const { tag, limit, starting_after: cursor } = filter
  const column = sort.replace('-', '') as 'name' | 'phone_number' | 'stage' | 'last_activity_at' | 'created_at'
  const isDown = sort.startsWith('-')
  const order = isDown
    ? { direction: sql`desc`, isBehind: sql`<`, before: beforeEverything }
    : { direction: sql`asc`, isBehind: sql`>`, before: lowestId }
  const tagged =
    tag === undefined ? sql`true` : sql`contacts.id in (select contact_id from contact_tags where tag = ${tag})`
  const conditions = sql`${filterConditions(filter)} and ${tagged}`
  const total =
    tag === undefined ? totalOf(filter) : sql`select count(*) as total_count from contacts where ${conditions}`
  const wanted = listed(tx, filter, qualifiedColumns)
  const range = { ...order, isDown, wanted, conditions, cursor, most: rowsBeyond(limit) }
  const rows = {
    name: () => rangeByKey(column, filter, range),
    last_activity_at: () => rangeByKey(column, filter, range),
    stage: () => rangeByStage(range),
    phone_number: () => rangeByPhone(range),
    created_at: () => rangeById(range),
  }[column]()
  return tx.all(ContactRow)`
    select page.*, total_count from (${total}) total left join lateral (${rows}) page on true
    order by page.position`
}

interface SortedRange {
  /** The columns to select. */
  wanted: Fragment
  isDown: boolean
  direction: Fragment
  isBehind: Fragment
  /** An id that comes before every other one in this direction. */
  before: string
  conditions: Fragment
  cursor: string | undefined
  most: Fragment
}

function rangeById({ wanted, direction, isBehind, conditions, cursor, most }: SortedRange): Fragment {
  const behind = cursor === undefined ? sql`true` : sql`contacts.id ${isBehind} ${cursor}::uuid`
  return sql`
    select ${wanted}, row_number() over (order by contacts.id ${direction}) as position
    from contacts where ${conditions} and ${behind} order by contacts.id ${direction} limit ${most}`
}

/**
 * By an expression. Under row-level security PostgreSQL compares expressions that are not leakproof after reading the
 * row: a page would read all rows before its cursor. The function reads as a role that sees every row.
 */
const rangeByKey = (
  column: string,
  filter: PageConditions,
  { wanted, isDown, cursor, most }: SortedRange,
): Fragment => sql`
    select ${wanted}, sorted.place as position
    from sort_contacts(${column}, ${isDown}, ${cursor ?? null}, ${jsonFilters(filter)}, ${most}) sorted
      join contacts on contacts.id = sorted.id`

/** Contacts without a number come before the others. Each of the two has an index of its own. */
function rangeByPhone({ wanted, direction, isBehind, conditions, cursor, most }: SortedRange): Fragment {
  const ofCursor = sql`(select phone_number from contacts where id = ${cursor})`
  const isFirst = cursor === undefined ? sql`true` : sql`phone_number ${isBehind} ${ofCursor}`
  // If the cursor has a number, all contacts without one are behind it in descending order, and none is in ascending.
  const isFirstWithout =
    cursor === undefined
      ? sql`true`
      : sql`id ${isBehind} case when ${ofCursor} = '' then ${cursor}::uuid when ${ofCursor} <> '' then ${beforeEverything}::uuid end`
  const order = sql`contacts.phone_number ${direction}, contacts.id ${direction}`
  return sql`
    select ${wanted}, row_number() over (order by ${order}) as position from (
      (select * from contacts where phone_number = '' and ${conditions} and ${isFirstWithout}
        order by id ${direction} limit ${most})
      union all
      (select * from contacts where phone_number <> '' and ${conditions} and ${isFirst}
        order by phone_number ${direction} limit ${most})) contacts
    order by ${order} limit ${most}`
}

/**
 * In the order in which contacts go through the stages. A range of the index for each stage: at most as many rows as
 * the page has are read of each.
 */
function rangeByStage({ wanted, direction, isBehind, before, conditions, cursor, most }: SortedRange): Fragment {
  const place = sql`array_position(${[...stages]}::text[], stage)`
  const ofCursor = sql`(select ${place} from contacts where id = ${cursor})`
  const isReached = cursor === undefined ? sql`true` : sql`(s.place = ${ofCursor} or s.place ${isBehind} ${ofCursor})`
  // One comparison, so that it is a range of the index. The other stages begin with their first row.
  const behind =
    cursor === undefined
      ? sql`true`
      : sql`contacts.id ${isBehind} case when s.place = ${ofCursor} then ${cursor}::uuid else ${before}::uuid end`
  return sql`
    select ${wanted}, row_number() over (order by s.place ${direction}, contacts.id ${direction}) as position
    from unnest(${[...stages]}::text[]) with ordinality s (stage, place) cross join lateral (
      select * from contacts where contacts.stage = s.stage and ${conditions} and ${behind}
      order by contacts.id ${direction} limit ${most}) contacts
    where ${isReached}
    order by s.place ${direction}, contacts.id ${direction} limit ${most}`
}
