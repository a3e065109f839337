import { conflict } from '../../../platform/errors.ts'
import { networkOf } from '../../../platform/http/client-address.ts'
import { passwordResetJob } from '../mails/job-kinds.ts'
import type { PasswordChecks } from './sign-in-services.ts'

/** More links within a minute help no one and fill a mailbox. */
const mostPerMinute = 3

/**
 * Enqueues an email with a link to choose a new password. The request does the same for every address: the job finds
 * out whether it has an account.
 */
export async function requestPasswordReset(
  { database, rateLimiter, attemptsPerMinute: perMinute, sendsMail }: PasswordChecks,
  email: string,
  address: string,
): Promise<void> {
  if (!sendsMail)
    throw conflict('This installation sends no email. Ask your administrator for a link (frontdesk sign-in-link)')
  await rateLimiter.take({ name: 'password reset', perMinute }, networkOf(address))
  const given = email.trim()
  if ((await rateLimiter.count('password reset account', given.toLowerCase())) > mostPerMinute) return
  await database.inSystem((tx) => tx.enqueue(passwordResetJob, { email: given }))
}
