import type { SystemTx } from '../../../platform/database.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { closeSessionById, closeSessionByToken } from './queries.ts'

/** Ends a session for good; one that has ended already stays so. Single sign-on has none (null) to end here. */
export async function closeSession(
  tx: SystemTx,
  session: { sessionId: string | null } | { refreshToken: string },
): Promise<void> {
  const closed =
    'refreshToken' in session
      ? await closeSessionByToken(tx, hashToken(session.refreshToken))
      : session.sessionId !== null && (await closeSessionById(tx, session.sessionId))
  // Nothing to forget otherwise; and strangers may call this as often as they like.
  if (closed) tx.signal(credentialsChannel)
}
