import type { Database } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Mailer } from '../../../platform/mail.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { createSignInLink } from '../create-sign-in-link.ts'
import { countSignInLinks, deleteSignInLink, lockPasswordOwner } from '../sign-in/queries.ts'
import { passwordResetMail, resetLinkMinutes } from './texts.ts'

export interface MailServices {
  database: Database
  mailer: Mailer
  /** Where links lead. */
  publicUrl: string
  log: Log
}

/** Per person and hour, which is how long such a link works. */
const mostLinks = 5

/**
 * Emails a link to choose a new password. Does nothing for an unknown address or a person who signs in with single
 * sign-on: a password would bypass the issuer. A request that is older than its link would be is dropped: the person
 * does not expect the mail any more.
 */
export async function sendPasswordReset(
  { database, mailer, publicUrl, log }: MailServices,
  { email, requestedAt }: { email: string; requestedAt: Date },
): Promise<void> {
  if (Date.now() - requestedAt.getTime() > resetLinkMinutes * 60_000) {
    log.warn({ requestedAt }, 'mail: password reset dropped, requested more than an hour ago')
    return
  }
  const link = await database.inSystem(async (tx) => {
    const user = await lockPasswordOwner(tx, email)
    if (!user) return undefined
    const isTooMany = (await countSignInLinks(tx, user.id)).n >= mostLinks
    return { user, token: isTooMany ? undefined : await createSignInLink(tx, user.id, resetLinkMinutes) }
  })
  if (!link) return
  const { user, token } = link
  if (token === undefined) {
    log.warn({ userId: user.id }, 'mail: password reset not sent, too many within an hour')
    return
  }
  try {
    const outcome = await mailer.send(passwordResetMail(user.email, `${publicUrl}/#reset-password=${token}`))
    if (outcome !== 'sent') log.warn({ userId: user.id, outcome }, 'mail: password reset not confirmed')
  } catch (error) {
    // The next attempt creates another link: only its hash is stored.
    await database.inSystem((tx) => deleteSignInLink(tx, hashToken(token)))
    throw error
  }
}
