import type { SystemTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { hashToken, randomToken } from '../../../platform/secrets.ts'
import { insertSession } from './queries.ts'

const sessionDays = 30
const sessionSeconds = sessionDays * 24 * 3600

export interface OpenedSession {
  sessionId: string
  userId: string
  refreshToken: string
  /** Seconds until the session, and with it the refresh token, ends. */
  secondsLeft: number
}

/** Opens a session of 30 days. Only the hash of the refresh token is stored. */
export async function openSession(
  tx: SystemTx,
  {
    userId,
    signedInBy,
    userAgent,
  }: {
    userId: string
    signedInBy: 'password' | 'link' | 'invitation'
    userAgent: string | undefined
  },
): Promise<OpenedSession> {
  const sessionId = newId()
  const refreshToken = randomToken()
  await insertSession(tx, {
    id: sessionId,
    userId,
    secretHash: hashToken(refreshToken),
    signedInBy,
    userAgent: (userAgent ?? '').slice(0, 255),
    days: sessionDays,
  })
  return { sessionId, userId, refreshToken, secondsLeft: sessionSeconds }
}
