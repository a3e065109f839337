import Type from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { suspendedIds } from '../../../platform/suspended.ts'
import { Role, Scope } from '../../organizations/schema.ts'
import { isQuiet } from '../quiet-hours.ts'

/** Whether the digest of a member is due: there is something new, the last one is old enough, and it is not quiet. */
const isDue = sql`p.email_digest <> 'off'
  and p.digested_at <= now() - case p.email_digest when 'hourly' then interval '1 hour' else interval '1 day' end
  and exists (select from notifications n where n.organization_id = p.organization_id and n.livemode
    and n.user_id = p.user_id and n.read_at is null and n.created_at > p.digested_at)
  and not ${isQuiet}`

const Due = Type.Object({ organization_id: Id, user_id: Id })

export const findDue = (system: SystemSql) =>
  system.all(Due)`
    select p.organization_id, p.user_id from notification_preferences p
    where ${isDue} and p.organization_id <> all(${suspendedIds})`

const Claim = Type.Object({
  digested_at: Instant,
  email: Type.String(),
  organization_name: Type.String(),
  role: Role,
  scopes: Nullable(Type.Array(Scope)),
  is_limited: Type.Boolean(),
})

/**
 * Marks the digest as sent before the mail is sent. If the worker dies in between, its notifications are in the next
 * digest. No row if the digest is not due.
 */
export const claimDigest = (tx: TenantTx, userId: string) =>
  tx.maybe(Claim)`
    with due as (
      select p.user_id, p.digested_at from notification_preferences p where p.user_id = ${userId} and ${isDue} for update
    )
    update notification_preferences p set digested_at = now()
    from due, users u, organizations o, members m left join roles r on r.id = m.custom_role_id
    where p.user_id = due.user_id and u.id = p.user_id and o.id = p.organization_id and m.user_id = p.user_id
    returning due.digested_at, u.email, o.name as organization_name, m.role, r.scopes, m.is_limited`

/** For a mail that was certainly not sent. */
export const releaseDigest = (sqlOf: TenantSql, userId: string, digestedAt: string) =>
  sqlOf.run`update notification_preferences set digested_at = ${digestedAt} where user_id = ${userId}`
