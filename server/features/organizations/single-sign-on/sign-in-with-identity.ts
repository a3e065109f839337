import { AppError } from '../../../platform/errors.ts'
import type { LinkedIdentity } from '../credentials/trusted-issuer.ts'
import { linkIdentity } from '../sign-in/link-identity.ts'
import { type Client, type OpenedSession, openSession } from '../sign-in/open-session.ts'
import { findIdentity, findUser } from '../sign-in/queries.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'

/** Opens a session for a person of the provider. Undefined for one who is not a member and not admitted as one. */
export async function signInWithIdentity(
  { database, sessionLimits }: SignInServices,
  identity: LinkedIdentity,
  client: Client,
): Promise<OpenedSession | undefined> {
  try {
    return await database.inSystem(async (tx) => {
      await linkIdentity(tx, identity)
      const linked = await findIdentity(tx, identity.issuer, identity.subject)
      const user = linked && (await findUser(tx, linked.user_id))
      if (!user?.is_member) return undefined
      return openSession(tx, sessionLimits, { userId: user.id, signedInBy: 'single_sign_on', client })
    })
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  }
}
