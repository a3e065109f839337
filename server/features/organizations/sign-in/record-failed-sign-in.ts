import { insertFailedSignIn } from './queries.ts'
import type { PasswordChecks } from './sign-in-services.ts'

/** Guesses from many addresses must not fill the audit log. */
const mostPerMinute = 10

/**
 * Records a failed attempt in the audit log of each organization of the person. An email without an account takes the
 * same statements, so that the timing reveals nothing.
 */
export async function recordFailedSignIn(
  { database, rateLimiter }: PasswordChecks,
  {
    account,
    userId,
    reason,
    userAgent = '',
  }: {
    /** What attempts are counted by. */
    account: string
    userId: string | null
    reason: 'password' | 'second_factor' | 'passkey'
    userAgent: string | undefined
  },
): Promise<void> {
  if ((await rateLimiter.count('failed sign-in', account)) > mostPerMinute) return
  await database.inSystem((tx) => insertFailedSignIn(tx, userId, { reason, user_agent: userAgent.slice(0, 255) }))
}
