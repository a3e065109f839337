import { AppError, conflict, invalid, unauthorized } from '../../../platform/errors.ts'
import { hashPassword, verifyPassword } from '../../../platform/secrets.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { PasswordChecks } from './check-password.ts'
import { closeOtherSessions, deleteSignInLinks, findUser, isFreshFromLink, updatePassword } from './queries.ts'
import type { PasswordChange } from './schema.ts'

/** Sets a new password and signs the person out everywhere else. */
export async function changePassword(
  checks: PasswordChecks,
  person: { userId: string; sessionId: string | null },
  { current_password, new_password }: PasswordChange,
): Promise<void> {
  const { userId, sessionId } = person
  // A password of our own would bypass the issuer's decisions about the account.
  if (sessionId === null) throw new AppError(403, 'Members who sign in with single sign-on have no password here')
  const { database, rateLimiter, attemptsPerMinute: perMinute } = checks
  const user = await findUser(database.forSystem(), userId)
  if (!user) throw unauthorized()
  if (user.password_hash !== null && !(await isFreshFromLink(database.forSystem(), sessionId))?.fresh) {
    if (current_password === undefined) throw invalid(['body', 'current_password'], 'Field required', 'missing')
    // Limited per session: attempts by others at the account must not keep its owner from changing the password.
    await rateLimiter.take({ name: 'password change', perMinute }, sessionId)
    if (!(await verifyPassword(current_password, user.password_hash)))
      throw invalid(['body', 'current_password'], 'The current password is incorrect')
  }
  const passwordHash = await hashPassword(new_password)
  await database.inSystem(async (tx) => {
    const changed = await updatePassword(tx, userId, user.password_hash, passwordHash)
    if (changed === 0) throw conflict('The password was changed by another request: try again')
    await Promise.all([closeOtherSessions(tx, userId, sessionId), deleteSignInLinks(tx, userId)])
    tx.signal(credentialsChannel)
  })
}
