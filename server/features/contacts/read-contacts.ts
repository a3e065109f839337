import type { TenantSql } from '../../platform/database.ts'
import { toCursorPage } from '../../platform/http/pagination.ts'
import { listContacts } from './queries.ts'
import type { Contact, ContactFilter } from './schema.ts'

/** A page of the contacts that match, newest first. */
export const readContacts = async (sql: TenantSql, filter: ContactFilter) =>
  toCursorPage<Contact>(await listContacts(sql, filter), filter.limit)
