import { found } from '../../platform/errors.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { TicketPath } from '../inbox/schema.ts'
import { findAnalysis, listAnalyses } from './queries.ts'
import { AnalysisFilter, AnalysisPage, TicketAnalysis } from './schema.ts'

const tag = 'Inbox'
const scope = 'inbox:read'

export function ticketAnalysisRoutes(routes: Routes): void {
  routes.read({
    id: 'listTicketAnalyses',
    method: 'GET',
    url: '/inbox/analyses',
    tag,
    summary: 'List the analyses of tickets',
    description: 'Summaries and results of closed tickets, newest ticket first.',
    scope,
    query: AnalysisFilter,
    response: AnalysisPage,
    handler: (sql, { query }) => listAnalyses(sql, query),
  })

  routes.read({
    id: 'getTicketAnalysis',
    method: 'GET',
    url: '/inbox/tickets/{inbox_id}/analysis',
    tag,
    summary: 'Get the analysis of a ticket',
    description:
      'The analysis of a closed ticket whose channel has an active agent: available a moment after closing, and updated when the ticket is closed again after further messages. 404 until then.',
    scope,
    params: TicketPath,
    response: TicketAnalysis,
    handler: async (sql, { params }) => found(await findAnalysis(sql, params.inbox_id), 'Analysis'),
  })
}
