import { toCsvLine } from '../../platform/csv.ts'
import type { TenantSql } from '../../platform/database.ts'
import { beforeEverything } from '../../platform/http/pagination.ts'
import { listExported } from './queries.ts'
import type { AuditEntry, AuditExportFilter } from './schema.ts'

const pageSize = 1000

const exportedColumns = [
  'created_at',
  'action',
  'actor_type',
  'actor_id',
  'actor_name',
  'object_type',
  'object_id',
  'object_name',
  'previous',
  'current',
  'ip_address',
  'request_id',
  'mode',
  'id',
] as const satisfies (keyof AuditEntry)[]

/** The entries as CSV, newest first, one page at a time, read on demand. */
export async function* exportEntries(sql: TenantSql, filter: AuditExportFilter): AsyncGenerator<string> {
  yield toCsvLine([...exportedColumns])
  for (let before: string | undefined = beforeEverything; before !== undefined; ) {
    const entries: AuditEntry[] = await listExported(sql, filter, before, pageSize)
    if (entries.length > 0) yield entries.map((entry) => toCsvLine(toCells(entry))).join('')
    before = entries.length === pageSize ? entries.at(-1)?.id : undefined
  }
}

const toCells = (entry: AuditEntry): string[] =>
  exportedColumns.map((name) => {
    const value = entry[name] ?? ''
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
