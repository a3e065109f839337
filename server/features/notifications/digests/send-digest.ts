import type { Database, TenantScope } from '../../../platform/database.ts'
import { covers } from '../../../platform/http/principal.ts'
import type { Log } from '../../../platform/log.ts'
import type { Mailer } from '../../../platform/mail.ts'
import { isLimited, scopesOfMember } from '../../organizations/roles/scopes-granted.ts'
import { listNotifications } from '../queries.ts'
import type { Notification } from '../schema.ts'
import { digestMail, listedInDigest } from '../texts.ts'
import { claimDigest, releaseDigest } from './queries.ts'

export interface DigestServices {
  database: Database
  mailer: Mailer
  publicUrl: string
  log: Log
}

/** Emails a member's unread notifications. Nothing is sent twice; what remains unread is in the next digest too. */
export async function sendDigest(
  { database, mailer, publicUrl, log }: DigestServices,
  scope: TenantScope,
  userId: string,
): Promise<void> {
  const claimed = await database.inTenant(scope, (tx) => claimDigest(tx, userId))
  if (!claimed || !covers(scopesOfMember(claimed), 'inbox:read')) return
  const sql = database.forTenant({ ...scope, ...(isLimited(claimed) && { limitedTo: userId }) })
  const rows = await listNotifications(sql, userId, { limit: listedInDigest, unread: true })
  const notifications: Notification[] = rows.filter(({ id }) => id !== null).slice(0, listedInDigest)
  if (notifications.length === 0) return
  const { email: to, organization_name: organization, digested_at } = claimed
  const unread = rows[0]?.unread_count ?? 0
  try {
    const outcome = await mailer.send(digestMail({ to, organization, unread, notifications, publicUrl }))
    if (outcome !== 'sent') log.warn({ userId, outcome }, 'mail: digest not confirmed')
  } catch (error) {
    await releaseDigest(sql, userId, digested_at)
    throw error
  }
}
