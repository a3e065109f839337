import Type, { type Static } from 'typebox'
import { defineJob } from '../../../platform/jobs.ts'
import { Id, OneOf } from '../../../platform/schemas.ts'

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

const AccountChange = OneOf([
  'password_changed',
  'authenticator_added',
  'authenticator_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_replaced',
])
export type AccountChange = Static<typeof AccountChange>

export const accountChangeMailJob = defineJob(
  'organizations.mail-account-change',
  Type.Object({ userId: Id, change: AccountChange }),
  queue,
)
