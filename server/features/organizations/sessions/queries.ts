import type { SystemSql, SystemTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import type { Session, SessionFilter } from './schema.ts'
import { type SessionLimits, sessionEnd } from './session-limits.ts'

/** The person's open sessions, newest first. */
export function listSessions(
  tx: SystemSql,
  limits: SessionLimits,
  { userId, sessionId }: { userId: string; sessionId: string | null },
  filter: SessionFilter,
) {
  const where = sql`user_id = ${userId} and revoked_at is null and ${sessionEnd(limits)} > now()`
  const columns = sql`id, signed_in_by, user_agent, ip_address, created_at, last_used_at,
    ${sessionEnd(limits)} as expires_at, id is not distinct from ${sessionId}::uuid as is_current`
  return readCursorPage<Session>(tx, { columns, from: sql`sessions`, where }, filter)
}

export const closeSessionOf = (tx: SystemTx, userId: string, id: string) =>
  tx.run`update sessions set revoked_at = now() where id = ${id} and user_id = ${userId} and revoked_at is null`
