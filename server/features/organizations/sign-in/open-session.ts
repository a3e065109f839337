import type { SystemTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { hashToken, randomToken } from '../../../platform/secrets.ts'
import type { Session } from '../sessions/schema.ts'
import type { SessionLimits } from '../sessions/session-limits.ts'
import { insertSession } from './queries.ts'

/** Where a request comes from. */
export interface Client {
  address: string
  userAgent: string | undefined
  /** The cookie of a browser that signed in before, if it sent one. */
  deviceToken: string | undefined
}

export interface OpenedSession {
  sessionId: string
  userId: string
  refreshToken: string
  /** Seconds until the session, and with it the refresh token, ends. */
  secondsLeft: number
  /** When it was opened or refreshed by the clock of the database, in seconds since 1970. */
  openedAt: number
}

/** Only the hash of the refresh token is stored. */
export async function openSession(
  tx: SystemTx,
  { hours }: SessionLimits,
  {
    userId,
    signedInBy,
    client,
  }: {
    userId: string
    signedInBy: Session['signed_in_by']
    client: Client
  },
): Promise<OpenedSession> {
  const sessionId = newId()
  const refreshToken = randomToken()
  const { opened_at } = await insertSession(tx, {
    id: sessionId,
    userId,
    secretHash: hashToken(refreshToken),
    signedInBy,
    userAgent: (client.userAgent ?? '').slice(0, 255),
    address: client.address,
    hours,
  })
  return { sessionId, userId, refreshToken, secondsLeft: hours * 3600, openedAt: opened_at }
}
