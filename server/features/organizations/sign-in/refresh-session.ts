import { randomBytes } from 'node:crypto'
import type { SystemTx } from '../../../platform/database.ts'
import { deriveToken, hashToken } from '../../../platform/secrets.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { SessionLimits } from '../sessions/session-limits.ts'
import type { OpenedSession } from './open-session.ts'
import { closeSessionById, findSpentToken, lockSession, type OpenSession, replaceToken } from './queries.ts'

/** Two tabs, or a request and its retry, may use the same token within this time. */
const graceSeconds = 10

type Refreshed =
  | OpenedSession
  /** A used token was presented after the grace period: a copy is in use, so the session was ended. */
  | { reusedSessionId: string }

/**
 * Exchanges a refresh token for the next one. The next token is derived from the used one and a random seed that only
 * the database has: concurrent requests with the same token get the same next token, so a thief who uses it within the
 * grace period shares one chain of tokens with the owner and is detected at the next use. Undefined for an unknown
 * token or an ended session.
 */
export async function refreshSession(
  tx: SystemTx,
  limits: SessionLimits,
  refreshToken: string,
  address: string,
): Promise<Refreshed | undefined> {
  const tokenHash = hashToken(refreshToken)
  const current = await lockSession(tx, limits, tokenHash)
  if (!current) return refreshSpent(tx, limits, refreshToken)
  if (!current.is_member) return undefined
  const seed = randomBytes(32)
  const next = deriveToken(refreshToken, seed)
  await replaceToken(tx, { sessionId: current.id, tokenHash, seed, nextHash: hashToken(next), address })
  return opened(current, next)
}

async function refreshSpent(tx: SystemTx, limits: SessionLimits, refreshToken: string): Promise<Refreshed | undefined> {
  const spent = await findSpentToken(tx, limits, hashToken(refreshToken), graceSeconds)
  if (!spent) return undefined
  if (!spent.in_grace) {
    await closeSessionById(tx, spent.id)
    tx.signal(credentialsChannel)
    return { reusedSessionId: spent.id }
  }
  if (!spent.is_member) return undefined
  // The next token may have been used too by now: return the newest one of the chain.
  let next = deriveToken(refreshToken, spent.seed)
  while (!hashToken(next).equals(spent.secret_hash)) {
    const later = await findSpentToken(tx, limits, hashToken(next), graceSeconds)
    if (!later) return undefined
    next = deriveToken(next, later.seed)
  }
  return opened(spent, next)
}

const opened = ({ id, user_id, seconds_left, opened_at }: OpenSession, refreshToken: string): OpenedSession => ({
  sessionId: id,
  userId: user_id,
  refreshToken,
  secondsLeft: seconds_left,
  openedAt: opened_at,
})
