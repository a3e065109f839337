import { findEmail } from '../sign-in/queries.ts'
import type { AccountChange } from './job-kinds.ts'
import type { MailServices } from './send-password-reset.ts'
import { accountChangeMail } from './texts.ts'

/** Tells a person of a change, which a thief of their session could have made. Does nothing if the account is gone. */
export async function sendAccountChange(
  { database, mailer, publicUrl, log }: MailServices,
  { userId, change, changedAt }: { userId: string; change: AccountChange; changedAt: Date },
): Promise<void> {
  const user = await findEmail(database.forSystem(), userId)
  if (!user) return
  const outcome = await mailer.send(accountChangeMail(user.email, change, changedAt, publicUrl))
  if (outcome !== 'sent') log.warn({ userId, outcome }, 'mail: account change not confirmed')
}
