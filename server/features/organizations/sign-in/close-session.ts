import type { SystemTx } from '../../../platform/database.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { closeSessionById, closeSessionByToken } from './queries.ts'

/** Ends a session permanently; ending it again does nothing. Single sign-on has no session here (null). */
export async function closeSession(
  tx: SystemTx,
  session: { sessionId: string | null } | { refreshToken: string },
): Promise<void> {
  const closed =
    'refreshToken' in session
      ? await closeSessionByToken(tx, hashToken(session.refreshToken))
      : session.sessionId !== null && (await closeSessionById(tx, session.sessionId))
  // Otherwise there is nothing to evict, and unauthenticated clients may call this as often as they like.
  if (closed) tx.signal(credentialsChannel)
}
