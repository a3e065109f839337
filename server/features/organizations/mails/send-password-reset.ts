import type { Database } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Mailer } from '../../../platform/mail.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { createSignInLink } from '../create-sign-in-link.ts'
import { deleteSignInLink, findPasswordOwner } from '../sign-in/queries.ts'
import { passwordResetMail, resetLinkMinutes } from './texts.ts'

export interface MailServices {
  database: Database
  mailer: Mailer
  /** Where links lead. */
  publicUrl: string
  log: Log
}

/**
 * Emails a link to choose a new password. Does nothing for an unknown address or a person who signs in with single
 * sign-on: a password would bypass the issuer.
 */
export async function sendPasswordReset({ database, mailer, publicUrl, log }: MailServices, email: string) {
  const user = await findPasswordOwner(database.forSystem(), email)
  if (!user) return
  const token = await database.inSystem((tx) => createSignInLink(tx, user.id, resetLinkMinutes))
  try {
    const outcome = await mailer.send(passwordResetMail(user.email, `${publicUrl}/#reset-password=${token}`))
    if (outcome !== 'sent') log.warn({ userId: user.id, outcome }, 'mail: password reset not confirmed')
  } catch (error) {
    // The next attempt creates another link: only its hash is stored.
    await database.inSystem((tx) => deleteSignInLink(tx, hashToken(token)))
    throw error
  }
}
