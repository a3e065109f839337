import type { TenantSql } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { findCall, listSegments } from './queries.ts'

/** What was said behind a number: from the running call's notes, or from the transcript that they became. */
export async function readTranscript(sql: TenantSql, id: string, after: number) {
  const running = await listSegments(sql, id, after)
  // Read behind the notes: a call that ended in between has its transcript by now.
  const call = await findCall(sql, id)
  if (!call) throw notFound('Call')
  const { status, telephony_status, ended_reason } = call
  const segments =
    status === 'in-progress'
      ? running
      : call.transcript.map((segment, number) => ({ number, segment })).filter(({ number }) => number > after)
  return { status, telephony_status, ended_reason, segments }
}
