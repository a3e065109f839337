import { unauthorized } from '../../../platform/errors.ts'
import type { SessionLimits } from '../sessions/session-limits.ts'
import { checkPassword, type PasswordChecks, stillHasPassword } from './check-password.ts'
import { type Client, type OpenedSession, openSession } from './open-session.ts'
import type { Login } from './schema.ts'

/** What every way to sign in needs. */
export interface SignInServices extends PasswordChecks {
  sessionLimits: SessionLimits
}

/** Opens a session for an email and its password; a person without an organization is refused. */
export async function signIn(
  services: SignInServices,
  { email, password }: Login,
  client: Client,
): Promise<OpenedSession> {
  const user = await checkPassword(services, { email, password, ...client })
  if (!user.is_member) throw unauthorized()
  return services.database.inSystem(async (tx) => {
    await stillHasPassword(tx, user)
    return openSession(tx, services.sessionLimits, { userId: user.id, signedInBy: 'password', client })
  })
}
