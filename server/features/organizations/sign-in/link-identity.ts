import type { SystemTx } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { Identity } from '../credentials/trusted-issuer.ts'
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
 * Lets in somebody whom the trusted issuer vouches for: known by issuer and subject, and the first time only with a
 * verified e-mail that has been invited. From then on the issuer alone signs this person in: whoever made an account
 * with that e-mail before has proven nothing, so its password, sessions and links end here.
 */
export async function linkIdentity(tx: SystemTx, { issuer, subject, verifiedEmail, name }: Identity): Promise<void> {
  // Requests of one person at once: the first spends the invitation, the others find what it made.
  await lockIdentity(tx, issuer, subject)
  if (await findIdentity(tx, issuer, subject)) return
  if (verifiedEmail === undefined) throw unauthorized()
  const invitations = await takeInvitationsOfEmail(tx, verifiedEmail)
  if (invitations.length === 0) throw unauthorized()

  const created = await insertUser(tx, { email: verifiedEmail, name, passwordHash: null })
  const userId = created?.id ?? (await findUserByEmail(tx, verifiedEmail))?.id
  if (!userId) throw new Error('an e-mail that is taken belongs to nobody')
  if (!created)
    await Promise.all([clearPassword(tx, userId), closeOtherSessions(tx, userId, null), deleteSignInLinks(tx, userId)])
  await insertIdentity(tx, issuer, subject, userId)
  await Promise.all(invitations.map(({ organization_id, role }) => insertMember(tx, organization_id, userId, role)))
  tx.signal(credentialsChannel)
}
