import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx, TenantSql, TenantTx } from '../../platform/database.ts'
import { Id, Instant, Nullable } from '../../platform/schemas.ts'
import { sql } from '../../platform/sql.ts'
import { type OperatorRule, operatorColumns } from './credentials/queries.ts'
import { type OrganizationChanges, OrganizationRow } from './schema.ts'

const LimitedOrganization = Type.Object({
  ...OrganizationRow.properties,
  requests_per_minute: Nullable(Type.Integer()),
  calls_at_once: Nullable(Type.Integer()),
})
export type LimitedOrganization = Static<typeof LimitedOrganization>

const organizationColumns = sql`id, name, time_zone, requires_second_factor, default_country, created_at, updated_at, requests_per_minute, calls_at_once`

export const findOrganization = (tx: TenantSql) =>
  tx.maybe(LimitedOrganization)`select ${organizationColumns} from organizations where id = ${tx.scope.organizationId}`

export function updateOrganization(
  tx: TenantTx,
  { name, requires_second_factor: required, time_zone: zone, default_country: country }: OrganizationChanges,
) {
  const isCountryGiven = country !== undefined
  return tx.maybe(LimitedOrganization)`
    update organizations set
      name = coalesce(${name?.trim() ?? null}, name),
      requires_second_factor = coalesce(${required ?? null}, requires_second_factor),
      time_zone = coalesce(${zone ?? null}, time_zone),
      default_country = case when ${isCountryGiven} then ${country ?? null} else default_country end,
      updated_at = case when ${name?.trim() ?? null} <> name or ${zone ?? null} <> time_zone
        or ${required ?? null} <> requires_second_factor
        or (${isCountryGiven} and default_country is distinct from ${country ?? null}) then now() else updated_at end
    where id = ${tx.scope.organizationId}
    returning ${organizationColumns}`
}

const KeyOfMe = Type.Object({
  organization_name: Type.String(),
  id: Id,
  name: Type.String(),
  expires_at: Nullable(Instant),
})

export const findKeyOfMe = (tx: TenantSql, keyId: string) =>
  tx.maybe(KeyOfMe)`
    select organizations.name as organization_name, keys.id, keys.name, keys.expires_at
    from keys join organizations on organizations.id = keys.organization_id
    where keys.id = ${keyId}`

const PersonOfMe = Type.Object({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  has_password: Type.Boolean(),
  is_operator: Type.Boolean(),
  lacks_second_factor: Type.Boolean(),
})

export const findPersonOfMe = (tx: SystemSql, userId: string, rule: OperatorRule) =>
  tx.maybe(PersonOfMe)`
    select id, email, name, password_hash is not null as has_password, ${operatorColumns(sql`users.id`, rule)}
    from users where id = ${userId}`

export const renamePerson = (tx: SystemTx, userId: string, name: string) =>
  tx.run`update users set name = ${name}, updated_at = now() where id = ${userId} and name <> ${name}`
