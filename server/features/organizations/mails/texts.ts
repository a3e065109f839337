import type { Mail } from '../../../platform/mail.ts'
import type { AccountChange } from './job-kinds.ts'

/** How long the link in an email works, which is slower to arrive than one that an operator passes on. */
export const resetLinkMinutes = 60

export const passwordResetMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Reset your Frontdesk password',
  text: `Open this link to choose a new password. It works once, within ${resetLinkMinutes} minutes:

${link}

If you did not ask for it, ignore this email. Your password stays as it is.
`,
})

export const invitationMail = (to: string, organization: string, link: string): Mail => ({
  to,
  subject: `Join ${organization} on Frontdesk`,
  text: `You have been invited to ${organization} on Frontdesk. Open this link to join. It works once, within seven days:

${link}

If you do not know ${organization}, ignore this email.
`,
})

const changes: Record<AccountChange, string> = {
  password_changed: 'Your Frontdesk password was changed',
  authenticator_added: 'An authenticator app was added to your Frontdesk account',
  authenticator_removed: 'The authenticator app was removed from your Frontdesk account',
  passkey_added: 'A passkey was added to your Frontdesk account',
  passkey_removed: 'A passkey was removed from your Frontdesk account',
  recovery_codes_replaced: 'The recovery codes of your Frontdesk account were replaced',
}

/** Without a link that signs in: the person did not ask for one. */
export const accountChangeMail = (to: string, change: AccountChange, at: Date, publicUrl: string): Mail => ({
  to,
  subject: changes[change],
  text: `${changes[change]} on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC.

If it was you, you need to do nothing. If not, choose a new password, sign out your other sessions and tell an administrator of your organization:

${publicUrl}
`,
})
