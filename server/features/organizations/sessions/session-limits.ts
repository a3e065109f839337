import { type Fragment, sql } from '../../../platform/sql.ts'

export interface SessionLimits {
  /** Longest lifetime of a session. */
  hours: number
  /** A session that is not used for this long ends earlier; undefined if it does not. */
  idleMinutes: number | undefined
}

/** When a session ends. Shorter limits than those that it was opened with apply to it at once. */
export const sessionEnd = ({ hours, idleMinutes }: SessionLimits): Fragment => sql`least(
  sessions.expires_at,
  sessions.created_at + make_interval(hours => ${hours}),
  sessions.last_used_at + make_interval(mins => ${idleMinutes ?? null}::integer))`
