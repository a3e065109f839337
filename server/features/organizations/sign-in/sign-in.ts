import { unauthorized } from '../../../platform/errors.ts'
import { requireSecondFactor } from '../second-factors/require-second-factor.ts'
import { checkPassword, stillHasPassword } from './check-password.ts'
import { type Client, type OpenedSession, openSession } from './open-session.ts'
import type { Login } from './schema.ts'
import type { SignInServices } from './sign-in-services.ts'

/** Opens a session for an email and its password; a person without an organization is refused. */
export async function signIn(
  services: SignInServices,
  { email, password, code }: Login,
  client: Client,
): Promise<OpenedSession> {
  const user = await checkPassword(services, { email, password, ...client })
  if (!user.is_member) throw unauthorized()
  const useSecondFactor = await requireSecondFactor(services, user.id, code, client)
  return services.database.inSystem(async (tx) => {
    await stillHasPassword(tx, user)
    await useSecondFactor(tx)
    return openSession(tx, services.sessionLimits, { userId: user.id, signedInBy: 'password', client })
  })
}
