import { isIPv6 } from 'node:net'
import type { Database, SystemTx } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
import type { RateLimiter } from '../../../platform/http/rate-limit.ts'
import { nobodysPasswordHash, verifyPassword } from '../../../platform/secrets.ts'
import { findUserByEmail, holdPassword } from './queries.ts'

export interface PasswordChecks {
  database: Database
  rateLimiter: RateLimiter
  attemptsPerMinute: number
}

/** Passwords may be tried a few times a minute for each account, and from each address. */
export async function countAttempt(
  { rateLimiter, attemptsPerMinute: perMinute }: PasswordChecks,
  { email, address }: { email: string; address: string },
): Promise<void> {
  await rateLimiter.take({ name: 'login address', perMinute }, networkOf(address))
  await rateLimiter.take({ name: 'login account', perMinute }, email.trim().toLowerCase())
}

/** With IPv6 everybody has a network of their own, with more addresses than could be counted one by one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [front = [], back = []] = address.split('::').map((half) => half.split(':').filter(Boolean))
  return [...front, ...Array(8 - front.length - back.length).fill('0'), ...back].slice(0, 4).join(':')
}

/** The account that this password opens. An e-mail that nobody has takes as long and answers the same. */
export async function checkPassword(
  checks: PasswordChecks,
  { email, password, address }: { email: string; password: string; address: string },
) {
  await countAttempt(checks, { email, address })
  const user = await findUserByEmail(checks.database.forSystem(), email.trim())
  const isRight = await verifyPassword(password, user?.password_hash ?? nobodysPasswordHash)
  if (!user || !isRight) throw unauthorized()
  return user
}

/**
 * Checking takes a while, and a password that is changed meanwhile closes the sessions it opened: whoever opens one
 * makes sure, in the same transaction, that none slips through.
 */
export async function stillHasPassword(
  tx: SystemTx,
  { id, password_hash }: { id: string; password_hash: string | null },
): Promise<void> {
  if (!(await holdPassword(tx, id, password_hash))) throw unauthorized()
}
