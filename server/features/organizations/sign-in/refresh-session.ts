import { randomBytes } from 'node:crypto'
import type { SystemTx } from '../../../platform/database.ts'
import { deriveToken, hashToken } from '../../../platform/secrets.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { OpenedSession } from './open-session.ts'
import { closeSessionById, findSpentToken, lockSession, type OpenSession, replaceToken } from './queries.ts'

/** Two tabs, or a request and its retry, may spend the same token within this time. */
const graceSeconds = 10

type Refreshed =
  | OpenedSession
  /** A spent token came again after the grace: a copy is in use, so the session was ended. */
  | { reusedSessionId: string }

/**
 * Spends a refresh token and answers the next one. The next token is derived from the spent one and a random seed that only
 * the database has: requests that spend the same token at once get the same next token, so a thief who spends it within the
 * grace shares one line of tokens with the owner and is found out at the following use. Undefined for an unknown token or
 * an ended session.
 */
export async function refreshSession(tx: SystemTx, refreshToken: string): Promise<Refreshed | undefined> {
  const tokenHash = hashToken(refreshToken)
  const current = await lockSession(tx, tokenHash)
  if (!current) return refreshSpent(tx, refreshToken)
  if (!current.is_member) return undefined
  const seed = randomBytes(32)
  const next = deriveToken(refreshToken, seed)
  await replaceToken(tx, { sessionId: current.id, tokenHash, seed, nextHash: hashToken(next) })
  return opened(current, next)
}

async function refreshSpent(tx: SystemTx, refreshToken: string): Promise<Refreshed | undefined> {
  const spent = await findSpentToken(tx, hashToken(refreshToken), graceSeconds)
  if (!spent) return undefined
  if (!spent.in_grace) {
    await closeSessionById(tx, spent.id)
    tx.signal(credentialsChannel)
    return { reusedSessionId: spent.id }
  }
  if (!spent.is_member) return undefined
  // The next token may have been spent too by now: the answer is the newest of the line.
  let next = deriveToken(refreshToken, spent.seed)
  while (!hashToken(next).equals(spent.secret_hash)) {
    const later = await findSpentToken(tx, hashToken(next), graceSeconds)
    if (!later) return undefined
    next = deriveToken(next, later.seed)
  }
  return opened(spent, next)
}

const opened = ({ id, user_id, seconds_left }: OpenSession, refreshToken: string): OpenedSession => ({
  sessionId: id,
  userId: user_id,
  refreshToken,
  secondsLeft: seconds_left,
})
