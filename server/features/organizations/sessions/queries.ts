import Type from 'typebox'
import type { SystemSql, SystemTx } from '../../../platform/database.ts'
import { beforeEverything } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import type { Session, SessionFilter } from './schema.ts'
import { type SessionLimits, sessionEnd } from './session-limits.ts'

/** A row of a page with the total; its columns are null when the page is empty. */
const SessionRow = Type.Unsafe<Session & { total_count: number }>({})

/** The person's open sessions, newest first. */
export function listSessions(
  tx: SystemSql,
  limits: SessionLimits,
  { userId, sessionId }: { userId: string; sessionId: string | null },
  { limit, starting_after: before = beforeEverything }: SessionFilter,
) {
  const open = sql`user_id = ${userId} and revoked_at is null and ${sessionEnd(limits)} > now()`
  return tx.all(SessionRow)`
    select page.*, total_count from
      (select count(*) as total_count from sessions where ${open}) total
      left join lateral (
        select id, signed_in_by, user_agent, ip_address, created_at, last_used_at, ${sessionEnd(limits)} as expires_at,
          id is not distinct from ${sessionId}::uuid as is_current
        from sessions where ${open} and id < ${before} order by id desc limit ${limit + 1}
      ) page on true
    order by page.id desc`
}

export const closeSessionOf = (tx: SystemTx, userId: string, id: string) =>
  tx.run`update sessions set revoked_at = now() where id = ${id} and user_id = ${userId} and revoked_at is null`
