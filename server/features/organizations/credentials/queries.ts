import Type from 'typebox'
import type { SystemSql } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'
import type { Role } from '../schema.ts'
import { hasSecondFactor } from '../second-factors/queries.ts'
import { type SessionLimits, sessionEnd } from '../sessions/session-limits.ts'

const Roles = Type.Unsafe<Record<string, Role>>({ type: 'object' })
const PersonRow = Type.Object({ user_id: Id, roles: Roles, closed: Type.Array(Id), ms_left: Type.Number() })

const rolesOf = (userId: unknown) => sql`
  coalesce((select jsonb_object_agg(organization_id, role) from members where members.user_id = ${userId}), '{}')`

/** Organizations that require a second factor of a person who has none. */
const closedTo = (userId: Fragment) => sql`
  array(select organizations.id from members join organizations on organizations.id = members.organization_id
    where members.user_id = ${userId} and requires_second_factor and not ${hasSecondFactor(userId)})`

/** The person of an open session, and their memberships. */
export const findPersonOfSession = (tx: SystemSql, limits: SessionLimits, sessionId: string, userId: string) =>
  tx.maybe(PersonRow)`
    select user_id, ${rolesOf(sql`sessions.user_id`)} as roles, ${closedTo(sql`sessions.user_id`)} as closed,
      extract(epoch from ${sessionEnd(limits)} - now())::float8 * 1000 as ms_left
    from sessions where id = ${sessionId} and user_id = ${userId} and revoked_at is null
      and ${sessionEnd(limits)} > now()`

export const noteSessions = (tx: SystemSql, ids: string[]) =>
  tx.run`
    update sessions set last_used_at = now()
    where id = any(${ids}::uuid[]) and last_used_at < now() - interval '1 minute'`

const IdentityRow = Type.Object({ user_id: Id, roles: Roles })

export const findPersonOfIdentity = (tx: SystemSql, issuer: string, subject: string) =>
  tx.maybe(IdentityRow)`
    select user_id, ${rolesOf(sql`user_identities.user_id`)} as roles
    from user_identities where issuer = ${issuer} and subject = ${subject}`
