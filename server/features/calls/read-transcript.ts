import type { TenantSql } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { findCall, listSegments } from './queries.ts'

/** Segments after a given number: from the segments table while the call runs, from the transcript after it ended. */
export async function readTranscript(sql: TenantSql, id: string, after: number) {
  const running = await listSegments(sql, id, after)
  // Read after the segments: if the call ends in between, this already contains the transcript.
  const call = found(await findCall(sql, id), 'Call')
  const { status, telephony_status, ended_reason } = call
  const segments =
    status === 'in-progress'
      ? running
      : call.transcript.map((segment, number) => ({ number, segment })).filter(({ number }) => number > after)
  return { status, telephony_status, ended_reason, segments }
}
