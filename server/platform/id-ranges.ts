import { type Fragment, sql } from './sql.ts'

/** The lowest id of a time. Ids begin with their creation time: a range of times is a range of the primary key. */
export const lowestIdOf = (time: Fragment): Fragment =>
  sql`rpad(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`
