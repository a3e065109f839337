import { type TenantTx, TryAgain } from '../../../platform/database.ts'
import { conflict, violates } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import { hashToken, randomToken, type SecretBox } from '../../../platform/secrets.ts'
import { invitationMailJob } from '../mails/job-kinds.ts'
import { sealInvitationToken } from '../mails/send-invitation.ts'
import { givenRole } from '../roles/given-role.ts'
import { checkAccess } from './limit-access.ts'
import {
  deleteExpiredInvitation,
  findInvitationOfEmail,
  findMemberByEmail,
  insertInvitation,
  lockMembers,
} from './queries.ts'
import { managerOf, mayManage } from './rules.ts'
import type { Invitation, NewInvitation } from './schema.ts'

const invitationDays = 7

/**
 * Creates an invitation; only the hash of its token is stored, so the token leaves the service with the return value
 * and, where email is set up, in an email.
 */
export async function invitePerson(
  tx: TenantTx,
  principal: Principal,
  { email: given, role, access = null }: NewInvitation,
  { secrets, sendsMail }: { secrets: SecretBox; sendsMail: boolean },
): Promise<{ invitation: Invitation; token: string }> {
  const email = given.trim()
  const manager = managerOf(principal, await lockMembers(tx, [principal.person?.userId]))
  const offered = await givenRole(tx, role)
  mayManage(manager, offered)
  if (access) await checkAccess(tx, offered, access)
  const member = await findMemberByEmail(tx, email)
  if (member) throw conflict(`${email} is a member already`, member.id)
  const [, open] = await Promise.all([deleteExpiredInvitation(tx, email), findInvitationOfEmail(tx, email)])
  if (open) throw conflict(`${email} has been invited already: withdraw that invitation first`, open.id)
  const token = randomToken()
  const invitation = await insertInvitation(tx, {
    id: newId(),
    email,
    role,
    access,
    tokenHash: hashToken(token),
    invited_by: principal.actor.id,
    mail_status: sendsMail ? 'queued' : null,
    days: invitationDays,
  }).catch((error) => {
    // Another request invited the same person since the check.
    throw violates(error, 'invitations_one_open_per_email') ? new TryAgain(error) : error
  })
  if (sendsMail) {
    const sealedToken = sealInvitationToken(secrets, invitation.id, token)
    await tx.enqueue(invitationMailJob, { ...tx.scope, invitationId: invitation.id, sealedToken })
  }
  return { invitation, token }
}
