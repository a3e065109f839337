import Type from 'typebox'
import type { SystemSql } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'
import type { Role, Scope } from '../schema.ts'
import { hasSecondFactor } from '../second-factors/queries.ts'
import { type SessionLimits, sessionEnd } from '../sessions/session-limits.ts'

/** `scopes` are those of a custom role. */
export type MembershipRow = {
  role: Role
  scopes: Scope[] | null
  is_limited: boolean
  is_suspended: boolean
  requests_per_minute: number | null
}
const Memberships = Type.Unsafe<Record<string, MembershipRow>>({ type: 'object' })
const PersonRow = Type.Object({
  user_id: Id,
  memberships: Memberships,
  closed: Type.Array(Id),
  uses_single_sign_on: Type.Boolean(),
  ms_left: Type.Number(),
})

const membershipsOf = (userId: unknown) => sql`
  coalesce((
    select jsonb_object_agg(organization_id, to_jsonb(membership) - 'organization_id')
    from (
      select members.organization_id, role, scopes, is_limited, suspended_at is not null as is_suspended, requests_per_minute
      from members join organizations on organizations.id = members.organization_id
        left join roles on roles.organization_id = members.organization_id and roles.id = members.custom_role_id
      where members.user_id = ${userId}) membership), '{}')`

/** Organizations that require a second factor of a person who has none. */
const closedTo = (userId: Fragment) => sql`
  array(select organizations.id from members join organizations on organizations.id = members.organization_id
    where members.user_id = ${userId} and requires_second_factor and not ${hasSecondFactor(userId)})`

/** Such people are asked for a second factor by their provider. */
const usesSingleSignOn = sql`sessions.signed_in_by = 'single_sign_on'`

/** The person of an open session whose access token has not expired, and their memberships. */
export function findPersonOfSession(
  tx: SystemSql,
  limits: SessionLimits,
  { sessionId, userId, expiresAt }: { sessionId: string; userId: string; expiresAt: number },
) {
  const end = sql`least(${sessionEnd(limits)}, to_timestamp(${expiresAt}::float8))`
  return tx.maybe(PersonRow)`
    select user_id, ${membershipsOf(sql`sessions.user_id`)} as memberships, ${usesSingleSignOn} as uses_single_sign_on,
      case when ${usesSingleSignOn} then '{}' else ${closedTo(sql`sessions.user_id`)} end as closed,
      extract(epoch from ${end} - now())::float8 * 1000 as ms_left
    from sessions where id = ${sessionId} and user_id = ${userId} and revoked_at is null and ${end} > now()`
}

export const noteSessions = (tx: SystemSql, ids: string[]) =>
  tx.run`
    update sessions set last_used_at = now()
    where id = any(${ids}::uuid[]) and last_used_at < now() - interval '1 minute'`

/** Whether operators need a second factor: `auto` from the second organization on. */
export type OperatorRule = 'auto' | 'always' | 'never'

/** The operator of a single organization reaches no one else’s data. */
const isRequired: Record<OperatorRule, Fragment> = {
  auto: sql`exists (select from organizations offset 1)`,
  always: sql`true`,
  never: sql`false`,
}

/** Columns of an operator: whether the person is one, and lacks the second factor that operators need. */
export const operatorColumns = (userId: Fragment, rule: OperatorRule) => sql`
  exists (select from operators where operators.user_id = ${userId}) as is_operator,
  ${isRequired[rule]} and not ${hasSecondFactor(userId)} as lacks_second_factor`

const Operator = Type.Object({ is_operator: Type.Boolean(), lacks_second_factor: Type.Boolean() })

export const findOperator = (tx: SystemSql, userId: string, rule: OperatorRule) =>
  tx.one(Operator)`select ${operatorColumns(sql`${userId}::uuid`, rule)}`

const IdentityRow = Type.Object({ user_id: Id, memberships: Memberships })

export const findPersonOfIdentity = (tx: SystemSql, issuer: string, subject: string) =>
  tx.maybe(IdentityRow)`
    select user_id, ${membershipsOf(sql`user_identities.user_id`)} as memberships
    from user_identities where issuer = ${issuer} and subject = ${subject}`

const PersonOfUser = Type.Object({ memberships: Memberships, closed: Type.Array(Id) })

/** Without a session: a person of the trusted issuer, which asks for second factors itself. */
export const findPersonOfUser = (tx: SystemSql, userId: string) =>
  tx.maybe(PersonOfUser)`
    select ${membershipsOf(sql`users.id`)} as memberships, '{}'::uuid[] as closed from users where id = ${userId}`

const KeyScopes = Type.Object({ scopes: Type.Array(Type.String()) })

/** No row if the key has expired or was revoked, or its organization is suspended. */
export const findKeyScopes = (tx: SystemSql, organizationId: string, keyId: string) =>
  tx.maybe(KeyScopes)`
    select scopes from keys join organizations on organizations.id = organization_id
    where keys.id = ${keyId} and organization_id = ${organizationId} and suspended_at is null
      and coalesce(least(expires_at, revoked_at) > now(), true)`
