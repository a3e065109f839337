import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { answerCsv } from '../../platform/http/file-answer.ts'
import { fullAccess } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { exportEntries } from './export-entries.ts'
import { listEntries } from './queries.ts'
import { recordAction } from './record-action.ts'
import { AuditExportFilter, AuditFilter, AuditPage } from './schema.ts'

const tag = 'Audit log'

export function auditRoutes(routes: Routes, { database }: { database: Database }): void {
  routes.read({
    id: 'listAuditLog',
    method: 'GET',
    url: '/audit-log',
    tag,
    summary: 'List audit entries',
    description:
      'Who changed what, newest first, in both modes: settings, keys, members, channels, webhooks, agents, exports, deletions and sign-ins. Entries cannot be changed, and are deleted only after the retention of the installation.',
    scope: fullAccess,
    narrowerScope: 'audit:read',
    query: AuditFilter,
    response: AuditPage,
    handler: (sql, { query }) => listEntries(sql, query),
  })

  routes.stream({
    id: 'exportAuditLog',
    method: 'GET',
    url: '/audit-log/export',
    tag,
    summary: 'Export the audit log as CSV',
    description: 'Accepts the filters of the list; newest first. The export is recorded in the log.',
    scope: fullAccess,
    narrowerScope: 'audit:read',
    query: AuditExportFilter,
    response: Type.String({ description: 'A header row, then one row per entry' }),
    contentType: 'text/csv',
    handler: async ({ query, reply, principal: { scope } }) => {
      await recordAction(database.forTenant(scope), 'audit_log.exported', { details: { filter: query } })
      return answerCsv(reply, 'audit-log', exportEntries(database.forReports(scope), query))
    },
  })
}
