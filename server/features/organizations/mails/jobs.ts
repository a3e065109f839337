import { defineHandler, type JobHandler } from '../../../platform/jobs.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { accountChangeMailJob, invitationMailJob, passwordResetJob } from './job-kinds.ts'
import { sendAccountChange } from './send-account-change.ts'
import { sendInvitation } from './send-invitation.ts'
import { type MailServices, sendPasswordReset } from './send-password-reset.ts'

export const mailJobs = (services: MailServices & { secrets: SecretBox }): JobHandler[] => [
  defineHandler({
    kind: passwordResetJob,
    concurrency: 2,
    handle: ({ email }, { createdAt }) => sendPasswordReset(services, { email, requestedAt: createdAt }),
  }),
  defineHandler({
    kind: invitationMailJob,
    concurrency: 2,
    handle: ({ organizationId, livemode, ...invitation }) =>
      sendInvitation(services, { organizationId, livemode }, invitation),
  }),
  defineHandler({
    kind: accountChangeMailJob,
    concurrency: 2,
    handle: (change, { createdAt }) => sendAccountChange(services, { ...change, changedAt: createdAt }),
  }),
]
