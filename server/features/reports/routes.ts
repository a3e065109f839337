import Type from 'typebox'
import type { Database, TenantScope } from '../../platform/database.ts'
import { answerCsv } from '../../platform/http/file-answer.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { recordAction } from '../audit/record-action.ts'
import { readCalls } from './calls/queries.ts'
import { readCampaigns } from './campaigns/queries.ts'
import { exportConversations, exportedReasons, exportName } from './conversations/export-conversations.ts'
import { readConversations } from './conversations/read-conversations.ts'
import { exportRows } from './export-report.ts'
import { periodOf, readPeriod } from './period.ts'
import {
  CallReport,
  CampaignsReport,
  ConversationExportFilter,
  ConversationReport,
  ConversationReportFilter,
  PeriodFilter,
} from './schema.ts'

const tag = 'Reports'
const csv = Type.String({ description: 'A header row, then the rows' })

export function reportRoutes(routes: Routes, { database }: { database: Database }): void {
  routes.read({
    id: 'getConversationsReport',
    method: 'GET',
    url: '/reports/conversations',
    tag,
    summary: 'Get the conversation report',
    description:
      'Volume, reply and resolution times, backlog, AI containment and hand-offs of a period, compared with the period before. A conversation is one time that a ticket was open. Figures are up to date within seconds.',
    scope: 'inbox:read',
    query: ConversationReportFilter,
    isReport: true,
    response: ConversationReport,
    handler: async (sql, { query }) => {
      const period = readPeriod(query)
      return { ...periodOf(period), ...(await readConversations(sql, period, query)) }
    },
  })

  routes.stream({
    id: 'exportConversationsReport',
    method: 'GET',
    url: '/reports/conversations/export',
    tag,
    summary: 'Export the conversation report as CSV',
    description: 'One row for each interval, channel, member, team, tag or hand-off reason.',
    scope: 'inbox:read',
    query: ConversationExportFilter,
    response: csv,
    contentType: 'text/csv',
    handler: async ({ query, reply, principal: { scope } }) => {
      const facts = await readConversations(database.forReports(scope), readPeriod(query), query, exportedReasons)
      await recordExport(database, scope, 'conversations')
      return answerCsv(reply, exportName(query.by), exportConversations(facts, query.by))
    },
  })

  routes.read({
    id: 'getCallsReport',
    method: 'GET',
    url: '/reports/calls',
    tag,
    summary: 'Get the call report',
    description: 'Calls of a period by outcome, channel and agent, compared with the period before.',
    scope: 'calls:read',
    query: PeriodFilter,
    isReport: true,
    response: CallReport,
    handler: async (sql, { query }) => {
      const period = readPeriod(query)
      return { ...periodOf(period), ...(await readCalls(sql, period)) }
    },
  })

  routes.stream({
    id: 'exportCallsReport',
    method: 'GET',
    url: '/reports/calls/export',
    tag,
    summary: 'Export the call report as CSV',
    description: 'One row for each interval.',
    scope: 'calls:read',
    query: PeriodFilter,
    response: csv,
    contentType: 'text/csv',
    handler: async ({ query, reply, principal: { scope } }) => {
      const { series } = await readCalls(database.forReports(scope), readPeriod(query))
      await recordExport(database, scope, 'calls')
      return answerCsv(reply, 'calls', exportRows(series, callColumns))
    },
  })

  routes.read({
    id: 'getCampaignsReport',
    method: 'GET',
    url: '/reports/campaigns',
    tag,
    summary: 'Get the campaigns report',
    description:
      'Campaigns that started in a period, with the outcome of their messages, compared with the period before.',
    scope: 'campaigns:manage',
    narrowerScope: 'campaigns:read',
    query: PeriodFilter,
    isReport: true,
    response: CampaignsReport,
    handler: async (sql, { query }) => {
      const period = readPeriod(query)
      return { ...periodOf(period), ...(await readCampaigns(sql, period)) }
    },
  })

  routes.stream({
    id: 'exportCampaignsReport',
    method: 'GET',
    url: '/reports/campaigns/export',
    tag,
    summary: 'Export the campaigns report as CSV',
    description: 'One row for each campaign.',
    scope: 'campaigns:manage',
    narrowerScope: 'campaigns:read',
    query: PeriodFilter,
    response: csv,
    contentType: 'text/csv',
    handler: async ({ query, reply, principal: { scope } }) => {
      const { campaigns } = await readCampaigns(database.forReports(scope), readPeriod(query))
      await recordExport(database, scope, 'campaigns')
      return answerCsv(reply, 'campaigns', exportRows(campaigns, campaignColumns))
    },
  })
}

/** Without the filters: they can name tags and teams that readers of the audit log may not see. */
const recordExport = (database: Database, scope: TenantScope, report: string) =>
  recordAction(database.forTenant(scope), 'report.exported', { details: { report } })

const callColumns = [
  'date',
  'calls',
  'inbound',
  'outbound',
  'completed',
  'not_reached',
  'failed',
  'handed_off',
  'talk_seconds',
] as const satisfies (keyof CallReport['series'][number])[]

const campaignColumns = [
  'started_at',
  'name',
  'recipients',
  'sent',
  'delivered',
  'read',
  'replied',
  'failed',
  'id',
  'reply_rate',
] as const satisfies (keyof CampaignsReport['campaigns'][number])[]
