import type { TenantSql } from '../../../platform/database.ts'
import { invalid } from '../../../platform/errors.ts'
import { toCursorPage } from '../../../platform/http/pagination.ts'
import type { ListedContact } from '../schema.ts'
import { listContacts } from './queries.ts'
import { resolveHandling } from './resolve-handling.ts'
import type { ContactFilter } from './schema.ts'

/** A page of the contacts that match, newest first unless they are sorted. */
export async function readContacts(sql: TenantSql, filter: ContactFilter) {
  if (filter.search && filter.sort !== undefined)
    throw invalid(['query', 'sort'], 'sort cannot be combined with search')
  const wanted = await resolveHandling(sql, filter)
  return toCursorPage<ListedContact>(wanted.none ? [] : await listContacts(sql, wanted), filter.limit)
}
