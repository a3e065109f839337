import { type Fragment, sql } from '../../platform/sql.ts'

/** Part of a name in any case. The database lowers it like the names. */
export function namedLike(search: string | undefined): Fragment[] {
  const wanted = search?.trim() ?? ''
  if (wanted === '') return []
  return [sql`lower(name) like lower(${`%${wanted.replace(/[\\%_]/g, '\\$&')}%`})`]
}
