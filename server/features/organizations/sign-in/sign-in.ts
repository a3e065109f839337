import { unauthorized } from '../../../platform/errors.ts'
import { type Attempt, checkPassword, type PasswordChecks, stillHasPassword } from './check-password.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import type { Login } from './schema.ts'

/** Opens a session for an email and its password; a person without an organization is refused. */
export async function signIn(
  checks: PasswordChecks,
  { email, password }: Login,
  { address, userAgent, deviceToken }: Pick<Attempt, 'address' | 'deviceToken'> & { userAgent: string | undefined },
): Promise<OpenedSession> {
  const user = await checkPassword(checks, { email, password, address, deviceToken })
  if (!user.is_member) throw unauthorized()
  return checks.database.inSystem(async (tx) => {
    await stillHasPassword(tx, user)
    return openSession(tx, { userId: user.id, signedInBy: 'password', userAgent })
  })
}
