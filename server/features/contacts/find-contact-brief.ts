import type { TenantSql } from '../../platform/database.ts'
import { ContactBrief } from './schema.ts'

/** The contact as an agent sees it. */
export const findContactBrief = (sql: TenantSql, id: string) =>
  sql.maybe(ContactBrief)`select id, name, phone_number, tags, notes, custom_fields from contacts where id = ${id}`
