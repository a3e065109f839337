import type { SystemTx } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
import { networkOf } from '../../../platform/http/client-address.ts'
import { hashToken, nobodysPasswordHash, verifyPassword } from '../../../platform/secrets.ts'
import type { Client } from './open-session.ts'
import { findUserToCheck, holdPassword } from './queries.ts'
import { recordFailedSignIn } from './record-failed-sign-in.ts'
import type { PasswordChecks } from './sign-in-services.ts'

interface Attempt extends Client {
  email: string
  password: string
}

const firstPauseMs = 250
/** Long enough to defeat guessing, short enough that a person on a new device still gets in. */
const longestPauseMs = 10_000

/**
 * Delay of an attempt, by the number of attempts at the account in this minute. Guesses from many addresses slow the
 * account down for unknown devices; no number of them locks it.
 */
function pauseAfter(attempts: number, perMinute: number): number {
  const excess = attempts - perMinute
  return excess <= 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (excess - 1))
}

/**
 * The account that this password opens. Attempts are limited per address and per known device. An unknown email takes
 * as long and gets the same response: it is counted, delayed and hashed in the same way.
 */
export async function checkPassword(checks: PasswordChecks, attempt: Attempt) {
  const { email, password, address, deviceToken, userAgent } = attempt
  const { rateLimiter, attemptsPerMinute: perMinute, database, pause } = checks
  const given = email.trim()
  const device = deviceToken === undefined ? null : hashToken(deviceToken)
  const user = await findUserToCheck(database.forSystem(), given, device)
  if (user?.knows_device)
    await rateLimiter.take({ name: 'login device', perMinute }, `${user.id} ${device?.toString('hex')}`)
  else {
    await rateLimiter.take({ name: 'login address', perMinute }, networkOf(address))
    const wait = pauseAfter(await rateLimiter.count('login account', given.toLowerCase()), perMinute)
    if (wait > 0) await pause(wait)
  }
  const isRight = await verifyPassword(password, user?.password_hash ?? nobodysPasswordHash)
  if (user && isRight) return user
  const account = given.toLowerCase()
  await recordFailedSignIn(checks, { account, userId: user?.id ?? null, reason: 'password', userAgent })
  throw unauthorized()
}

/**
 * Hashing takes a while, and a password changed meanwhile closes its sessions: the transaction that opens a session
 * therefore verifies that the password is still the one that was checked.
 */
export async function stillHasPassword(
  tx: SystemTx,
  { id, password_hash }: { id: string; password_hash: string | null },
): Promise<void> {
  if (!(await holdPassword(tx, id, password_hash))) throw unauthorized()
}
