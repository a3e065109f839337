import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'

const Named = Type.Object({ name: Type.String() })

export async function findOrganizationName(sql: TenantSql): Promise<string> {
  const found = await sql.maybe(Named)`select name from organizations where id = ${sql.scope.organizationId}`
  return found?.name ?? ''
}
