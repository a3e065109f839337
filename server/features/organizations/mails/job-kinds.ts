import Type from 'typebox'
import { defineJob } from '../../../platform/jobs.ts'
import { Id } from '../../../platform/schemas.ts'

/** Retried for about 40 minutes: a link for a new password works for an hour. */
const queue = { retryLimit: 12, retryDelayMax: 600 }

export const passwordResetJob = defineJob(
  'organizations.mail-password-reset',
  Type.Object({ email: Type.String() }),
  queue,
)

export const invitationMailJob = defineJob(
  'organizations.mail-invitation',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), invitationId: Id, sealedToken: Type.String() }),
  queue,
)
