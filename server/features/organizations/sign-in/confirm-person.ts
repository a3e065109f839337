import { AppError, invalid, unauthorized } from '../../../platform/errors.ts'
import { verifyPassword } from '../../../platform/secrets.ts'
import { findUser, isFreshBy } from './queries.ts'
import type { PasswordChecks } from './sign-in-services.ts'

export interface SignedInPerson {
  userId: string
  sessionId: string
}

/** The person behind a request to change how they sign in. With single sign-on that is decided by the issuer. */
export function signedInHere(
  person: { userId: string; sessionId: string | null; usesSingleSignOn?: boolean } | undefined,
  what: string,
): SignedInPerson {
  if (!person) throw new AppError(403, `Only people have ${what}s`)
  const { userId, sessionId, usesSingleSignOn } = person
  if (sessionId === null || usesSingleSignOn)
    throw new AppError(403, `Members who sign in with single sign-on have no ${what} here`)
  return { userId, sessionId }
}

/**
 * Before a change that a stolen session must not be able to make: requires the current password, unless there is none
 * or the person has just signed in with a link.
 */
export async function confirmPerson(
  { database, rateLimiter, attemptsPerMinute: perMinute }: PasswordChecks,
  { userId, sessionId }: SignedInPerson,
  currentPassword: string | undefined,
) {
  const user = await findUser(database.forSystem(), userId)
  if (!user) throw unauthorized()
  if (user.password_hash !== null && !(await isFreshBy(database.forSystem(), sessionId, 'link'))?.fresh) {
    if (currentPassword === undefined) throw invalid(['body', 'current_password'], 'Field required', 'missing')
    // Limited per session: attempts by others at the account must not keep its owner from changing it.
    await rateLimiter.take({ name: 'password change', perMinute }, sessionId)
    if (!(await verifyPassword(currentPassword, user.password_hash)))
      throw invalid(['body', 'current_password'], 'The current password is incorrect')
  }
  return user
}
