import type { TenantSql } from '../../platform/database.ts'
import { listTemplates } from './queries.ts'
import type { TemplateFilter } from './schema.ts'

/** A page of matching templates, newest first. */
export async function readTemplates(sql: TenantSql, filter: TemplateFilter) {
  const { page, limit } = filter
  const rows = await listTemplates(sql, filter)
  const total = rows[0]?.total ?? 0
  const items = rows.filter(({ id }) => id !== null)
  return { items, has_more: page * limit < total, total, page, limit }
}
