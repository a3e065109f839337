import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'
import { Nullable } from '../../platform/schemas.ts'

const Found = Type.Object({ default_country: Nullable(Type.String()) })

/** The country that the organization reads national phone numbers for. */
export async function findDefaultCountry(sql: TenantSql): Promise<string | null> {
  const organization = await sql.maybe(Found)`
    select default_country from organizations where id = ${sql.scope.organizationId}`
  return organization?.default_country ?? null
}
