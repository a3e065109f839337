import type { Mail } from '../../../platform/mail.ts'

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
