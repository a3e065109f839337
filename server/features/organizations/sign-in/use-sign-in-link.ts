import type { SystemTx } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/secrets.ts'
import type { SessionLimits } from '../sessions/session-limits.ts'
import { type Client, type OpenedSession, openSession } from './open-session.ts'
import { spendSignInLink } from './queries.ts'

/** Uses up the link and opens a session in one transaction. */
export async function useSignInLink(
  tx: SystemTx,
  limits: SessionLimits,
  token: string,
  client: Client,
): Promise<OpenedSession> {
  const link = await spendSignInLink(tx, hashToken(token))
  if (!link) throw unauthorized()
  return openSession(tx, limits, { userId: link.user_id, signedInBy: 'link', client })
}
