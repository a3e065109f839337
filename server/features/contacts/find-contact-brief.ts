import type { TenantSql } from '../../platform/database.ts'
import { ContactBrief } from './schema.ts'

/** Who is at the other end, as an agent is told. */
export const findContactBrief = (sql: TenantSql, id: string) =>
  sql.maybe(ContactBrief)`select id, name, phone_number, tags, notes, custom_fields from contacts where id = ${id}`
