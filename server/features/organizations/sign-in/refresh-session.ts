import type { SystemSql } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/secrets.ts'
import type { OpenedSession } from './open-session.ts'
import { touchSession } from './queries.ts'

/** The open session of a refresh token. It stays the same, so that two tabs may refresh at once. */
export async function refreshSession(tx: SystemSql, refreshToken: string): Promise<OpenedSession> {
  const session = await touchSession(tx, hashToken(refreshToken))
  if (!session?.is_member) throw unauthorized()
  return { sessionId: session.id, userId: session.user_id, refreshToken, secondsLeft: session.seconds_left }
}
