import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { answerFile } from '../../platform/http/file-answer.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import { CallLogFilter, CallLogPage, CallLogPath } from './call-log-schema.ts'
import { findCall, listCallLogs } from './queries.ts'
import { openRecording } from './recordings/open-recording.ts'
import { Call } from './schema.ts'

const tag = 'Calls'

export function callLogRoutes(routes: Routes, { database, files }: { database: Database; files: FileStore }): void {
  routes.read({
    id: 'listCallLogs',
    method: 'GET',
    url: '/call-logs',
    tag,
    summary: 'List call logs',
    scope: 'calls:read',
    query: CallLogFilter,
    response: CallLogPage,
    handler: async (sql, { query }) => {
      const rows = await listCallLogs(sql, query)
      const { page, page_size } = query
      return { total: rows[0]?.total_count ?? 0, page, page_size, items: rows.filter(({ id }) => id !== null) }
    },
  })

  routes.read({
    id: 'getCallLog',
    method: 'GET',
    url: '/call-logs/{call_log_id}',
    tag,
    summary: 'Get a call log',
    scope: 'calls:read',
    params: CallLogPath,
    response: Call,
    handler: async (sql, { params }) => found(await findCall(sql, params.call_log_id), 'Call log entry'),
  })

  routes.stream({
    id: 'getRecording',
    method: 'GET',
    url: '/call-logs/{call_log_id}/recording',
    tag,
    summary: 'Download a recording',
    description: 'A stereo WAV file with the caller on the left and the agent on the right. Supports `Range`.',
    scope: 'calls:read',
    params: CallLogPath,
    response: Type.String({ format: 'binary' }),
    contentType: 'audio/wav',
    errors: [404, 416],
    handler: async ({ params, principal, request, reply }) => {
      const file = await openRecording(database.forTenant(principal.scope), params.call_log_id, files)
      return answerFile(request, reply, file)
    },
  })
}
