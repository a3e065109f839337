import type { TenantScope } from '../../../platform/database.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { claimInvitationMail, updateMailStatus } from '../members/queries.ts'
import type { MailServices } from './send-password-reset.ts'
import { invitationMail } from './texts.ts'

const contextOf = (invitationId: string) => `invitation ${invitationId}`

/** Only the hash of the token is stored with the invitation, so the job carries the token, encrypted. */
export const sealInvitationToken = (secrets: SecretBox, invitationId: string, token: string): string =>
  secrets.seal(token, contextOf(invitationId)).toString('base64')

/**
 * Emails the link of an invitation, unless it was withdrawn or accepted. Its status is `unknown` while the mail is in
 * flight, so that a worker that dies leaves it so and no other worker sends it twice.
 */
export async function sendInvitation(
  { database, mailer, publicUrl, secrets }: MailServices & { secrets: SecretBox },
  scope: TenantScope,
  { invitationId, sealedToken }: { invitationId: string; sealedToken: string },
): Promise<void> {
  const claimed = await database.inTenant(scope, (tx) => claimInvitationMail(tx, invitationId))
  if (!claimed) return
  const token = secrets.open(Buffer.from(sealedToken, 'base64'), contextOf(invitationId))
  const record = (status: 'sent' | 'failed' | 'unknown') =>
    database.inTenant(scope, (tx) => updateMailStatus(tx, invitationId, status))
  const mail = invitationMail(claimed.email, claimed.organization_name, `${publicUrl}/#invitation=${token}`)
  const status = await mailer.send(mail).catch(async (error) => {
    await record('failed')
    throw error
  })
  await record(status)
}
