import type { TenantSql } from '../../platform/database.ts'
import { listOpenSpans } from './queries.ts'

/** As far as an estimate looks ahead. */
const days = 100

/** When it is open from a time on, in ms. */
export async function findOpenSpans(sql: TenantSql, id: string, start: number) {
  const spans = await listOpenSpans(sql, id, { from: new Date(start).toISOString(), days })
  return spans.map((span) => ({ opensAt: Date.parse(span.opens_at), closesAt: Date.parse(span.closes_at) }))
}
