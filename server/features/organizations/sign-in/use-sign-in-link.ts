import { unauthorized } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { requireSecondFactor } from '../second-factors/require-second-factor.ts'
import { type Client, type OpenedSession, openSession } from './open-session.ts'
import { findSignInLink, spendSignInLink } from './queries.ts'
import type { SignInLink } from './schema.ts'
import type { SignInServices } from './sign-in-services.ts'

/** Uses up the link and opens a session in one transaction. A link proves no second factor. */
export async function useSignInLink(
  services: SignInServices,
  { token, code }: SignInLink,
  client: Client,
): Promise<OpenedSession> {
  const { database, sessionLimits } = services
  const tokenHash = hashToken(token)
  const link = await findSignInLink(database.forSystem(), tokenHash)
  if (!link) throw unauthorized()
  const useSecondFactor = await requireSecondFactor(services, link.user_id, code, client)
  return database.inSystem(async (tx) => {
    if (!(await spendSignInLink(tx, tokenHash))) throw unauthorized()
    await useSecondFactor(tx)
    return openSession(tx, sessionLimits, { userId: link.user_id, signedInBy: 'link', client })
  })
}
