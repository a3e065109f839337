import Type, { type TSchema } from 'typebox'
import { largestInteger } from '../schemas.ts'
import { type Fragment, type Sql, sql } from '../sql.ts'

/** Sorts after every UUID: the first page starts here. */
export const beforeEverything = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const CursorQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Maximum number of records to return' }),
  starting_after: Type.Optional(Type.String({ format: 'uuid', description: '`next_cursor` of the previous page' })),
}

export const OffsetQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Maximum number of records to return' }),
  offset: Type.Integer({ minimum: 0, maximum: largestInteger, default: 0, description: 'Number of records to skip' }),
}

export const CursorPage = <S extends TSchema>(item: S) =>
  Type.Object({
    data: Type.Array(item),
    has_more: Type.Boolean({ description: 'Whether there is a next page', examples: [false] }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Id of the last record in `data`; null only when `data` is empty',
    }),
    total_count: Type.Integer({ description: 'Number of matching records on all pages', examples: [1] }),
  })

/** The cursor condition of a page. The first page has none: a statement without parameters is planned once. */
export const idsBefore = (cursor: string | undefined): Fragment =>
  cursor === undefined ? sql`true` : sql`id < ${cursor}`

/**
 * How many rows to read for a page: more than its limit, which tells whether there is a next page. The number is part
 * of the statement's text, in four sizes, because PostgreSQL plans a statement again at each call when its limit is a
 * parameter.
 */
export function rowsBeyond(limit: number): Fragment {
  if (limit <= 5) return sql`6`
  if (limit <= 20) return sql`21`
  return limit <= 50 ? sql`51` : sql`101`
}

interface PageQuery {
  columns: Fragment
  from: Fragment
  where?: Fragment
  /** The column with the id, if it has another name or is ambiguous. */
  id?: Fragment
  /** A statement for the total, where a counter knows it. By default the rows are counted. */
  total?: Fragment
}

const PageRow = Type.Unsafe<{ id: string; total_count: number }>({})

/** A page, newest first, and the total, in one statement. */
export async function readCursorPage<T extends { id: string }>(
  tx: Sql,
  { columns, from, where = sql`true`, id = sql`id`, total }: PageQuery,
  { limit, starting_after }: { limit: number; starting_after?: string | undefined },
) {
  // The first page has no condition on the id: a statement without parameters is planned once.
  const isAfterCursor = starting_after === undefined ? sql`true` : sql`${id} < ${starting_after}`
  const rows = await tx.all(PageRow)`
    select page.*, total_count from (${total ?? sql`select count(*) as total_count from ${from} where ${where}`}) total
      left join lateral (
        select ${columns} from ${from} where ${where} and ${isAfterCursor} order by ${id} desc limit ${rowsBeyond(limit)}
      ) page on true
    order by page.id desc`
  return toCursorPage<T>(rows as (T & { total_count: number })[], limit)
}

/**
 * Turns rows read beyond the limit into a page. Queries return the total with every row, and a single row without an id
 * when the page is empty.
 */
export function toCursorPage<T extends { id: string }>(
  rows: (T & { total_count: number })[] | { id: null; total_count: number }[],
  limit: number,
) {
  const total_count = rows[0]?.total_count ?? 0
  const found = (rows as (T & { total_count: number })[]).filter(({ id }) => id !== null)
  const data: T[] = found.slice(0, limit)
  return { data, has_more: found.length > limit, next_cursor: data.at(-1)?.id ?? null, total_count }
}
