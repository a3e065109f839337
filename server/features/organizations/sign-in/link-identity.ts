import type { SystemTx } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { LinkedIdentity } from '../credentials/trusted-issuer.ts'
import { findOrganizationToJoin } from '../domains/queries.ts'
import { removeSecondFactors } from '../second-factors/remove-second-factors.ts'
import {
  clearPassword,
  closeOtherSessions,
  deleteSignInLinks,
  findIdentity,
  findUserByEmail,
  insertIdentity,
  insertMember,
  insertUser,
  lockIdentity,
  takeInvitationsOfEmail,
} from './queries.ts'

/**
 * Admits a person of the trusted issuer: identified by issuer and subject, and the first time only with a verified
 * email that has been invited or belongs to a verified domain of an organization. From then on only the issuer signs this person in: a password account created earlier
 * with that email proves nothing, so its password, passkeys, sessions and links end here.
 */
export async function linkIdentity(
  tx: SystemTx,
  { issuer, subject, verifiedEmail, name }: LinkedIdentity,
): Promise<void> {
  // Concurrent requests of one person: the first accepts the invitation, the others find its result.
  await lockIdentity(tx, issuer, subject)
  if (await findIdentity(tx, issuer, subject)) return
  if (verifiedEmail === undefined) throw unauthorized()
  const invitations = await takeInvitationsOfEmail(tx, verifiedEmail)
  const joined = invitations.length > 0 ? invitations : await organizationOfDomain(tx, verifiedEmail)
  if (joined.length === 0) throw unauthorized()

  const created = await insertUser(tx, { email: verifiedEmail, name, passwordHash: null })
  const userId = created?.id ?? (await findUserByEmail(tx, verifiedEmail))?.id
  if (!userId) throw new Error('an e-mail that is taken belongs to nobody')
  if (!created)
    await Promise.all([
      clearPassword(tx, userId),
      closeOtherSessions(tx, userId, null),
      deleteSignInLinks(tx, userId),
      removeSecondFactors(tx, userId),
    ])
  await insertIdentity(tx, issuer, subject, userId)
  await Promise.all(joined.map((invitation) => insertMember(tx, userId, invitation)))
  tx.signal(credentialsChannel)
}

async function organizationOfDomain(tx: SystemTx, email: string) {
  const organization = await findOrganizationToJoin(tx, email)
  return organization ? [{ ...organization, access: null }] : []
}
