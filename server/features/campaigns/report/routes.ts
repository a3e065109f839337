import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { Database, TenantScope } from '../../../platform/database.ts'
import { disposition } from '../../../platform/http/file-answer.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAction } from '../../audit/record-action.ts'
import { CampaignPath } from '../schema.ts'
import { exportDeliveries } from './export-deliveries.ts'
import { fileNameOf } from './file-name.ts'
import { makePlainReport, makeReport } from './make-report.ts'
import { createReportRenderer } from './render/report-renderer.ts'
import { CampaignReport, ReportOptions } from './schema.ts'

const tag = 'Campaigns'
const scope = 'campaigns:manage'
const narrowerScope = 'campaigns:read'

export function campaignReportRoutes(routes: Routes, { database }: { database: Database }): void {
  const renderReport = createReportRenderer()

  routes.read({
    id: 'getCampaignReport',
    method: 'GET',
    url: '/campaigns/{campaign_id}/report',
    tag,
    summary: 'Get a campaign report',
    description:
      'The data of the PDF report: the message, sends over time, and failures by reason with the recommended action. The counts are in the campaign itself.',
    scope,
    narrowerScope,
    params: CampaignPath,
    query: ReportOptions,
    response: CampaignReport,
    handler: (sql, { params, query }) => makePlainReport(sql, params.campaign_id, query.timezone),
  })

  routes.stream({
    id: 'exportCampaignPdf',
    method: 'GET',
    url: '/campaigns/{campaign_id}/export/pdf',
    tag,
    summary: 'Get a campaign report as PDF',
    description:
      'One or two pages to share: audience, template as the customer sees it, messages sent, delivered and read, timing, and the recommended action for each failure reason. All figures are from one point in time, which the report states.',
    scope,
    narrowerScope,
    params: CampaignPath,
    query: ReportOptions,
    response: Type.String({ format: 'binary', description: 'The report' }),
    contentType: 'application/pdf',
    handler: ({ params, query, reply, principal }) =>
      whileConnected(reply, async (signal) => {
        const report = await makeReport(database.forTenant(principal.scope), params.campaign_id, query.timezone)
        const bytes = await renderReport(report, signal)
        await recordExport(database, principal.scope, params.campaign_id, 'pdf')
        return reply
          .type('application/pdf')
          .header('content-disposition', disposition({ mayBeShown: true, fileName: fileNameOf(report.name, 'pdf') }))
          .header('cache-control', 'private, no-store')
          .send(bytes)
      }),
  })

  routes.stream({
    id: 'exportCampaignCsv',
    method: 'GET',
    url: '/campaigns/{campaign_id}/export/csv',
    tag,
    summary: 'Export a campaign’s deliveries as CSV',
    description:
      'One row per delivery, all from one point in time, with the reason of each failure in words. Cells that a spreadsheet would read as a formula start with an apostrophe; phone numbers stay as they are.',
    scope,
    narrowerScope,
    params: CampaignPath,
    response: Type.String({ description: 'A header row, then one row per delivery' }),
    contentType: 'text/csv',
    handler: ({ params, reply, principal }) =>
      whileConnected(reply, async (signal) => {
        const exported = await exportDeliveries(database, principal.scope, params.campaign_id, signal)
        await recordExport(database, principal.scope, params.campaign_id, 'csv')
        if (signal.aborted) await exported.file.close()
        signal.throwIfAborted()
        const fileName = fileNameOf(exported.campaignName, 'csv')
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-length', exported.size)
          .header('content-disposition', disposition({ mayBeShown: false, fileName }))
          .header('cache-control', 'private, no-store')
          .send(exported.file.createReadStream({ start: 0 }))
      }),
  })
}

const recordExport = (database: Database, scope: TenantScope, id: string, format: 'csv' | 'pdf') =>
  recordAction(database.forTenant(scope), 'campaign.exported', { id, details: { format } })

/** The signal says that the client has hung up, so no answer is needed and nothing is logged. */
async function whileConnected(
  reply: FastifyReply,
  answer: (signal: AbortSignal) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  try {
    return await answer(controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) throw error
    return reply.hijack()
  }
}
