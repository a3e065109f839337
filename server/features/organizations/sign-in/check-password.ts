import { isIPv6 } from 'node:net'
import type { Database, SystemTx } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
import type { RateLimiter } from '../../../platform/http/rate-limit.ts'
import { hashToken, nobodysPasswordHash, verifyPassword } from '../../../platform/secrets.ts'
import { findUserToCheck, holdPassword } from './queries.ts'

export interface PasswordChecks {
  database: Database
  rateLimiter: RateLimiter
  attemptsPerMinute: number
  pause(ms: number): Promise<unknown>
}

export interface Attempt {
  email: string
  password: string
  address: string
  /** The cookie of a browser that signed in before, if it sent one. */
  deviceToken: string | undefined
}

const firstPauseMs = 250
/** Long enough to spoil guessing, short enough that a person on a new device still gets in. */
const longestPauseMs = 10_000

/**
 * How long an attempt at an account waits when there were that many in the minute. Guesses from many addresses slow the account
 * down for devices that never signed in to it; no number of them locks it.
 */
export function pauseAfter(attempts: number, perMinute: number): number {
  const excess = attempts - perMinute
  return excess <= 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (excess - 1))
}

/**
 * The account that this password opens. Each address has its attempts, each known device its own. An e-mail that nobody has
 * takes as long and answers the same: it is counted, slowed down and hashed alike.
 */
export async function checkPassword(checks: PasswordChecks, { email, password, address, deviceToken }: Attempt) {
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
  if (!user || !isRight) throw unauthorized()
  return user
}

/** With IPv6 each customer has a network of addresses, too many to be counted one by one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [front = [], back = []] = address.split('::').map((half) => half.split(':').filter(Boolean))
  return [...front, ...Array(8 - front.length - back.length).fill('0'), ...back].slice(0, 4).join(':')
}

/**
 * Checking takes a while, and a password that is changed meanwhile closes the sessions it opened: the transaction that opens a
 * session makes sure that the password still is what was checked.
 */
export async function stillHasPassword(
  tx: SystemTx,
  { id, password_hash }: { id: string; password_hash: string | null },
): Promise<void> {
  if (!(await holdPassword(tx, id, password_hash))) throw unauthorized()
}
