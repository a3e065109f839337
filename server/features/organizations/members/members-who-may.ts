import type { TenantSql } from '../../../platform/database.ts'
import { covers } from '../../../platform/http/principal.ts'
import { scopesGranted } from '../roles/scopes-granted.ts'
import { findRolesOf } from './queries.ts'

/** Of these people, the members whose role allows this. */
export async function membersWhoMay(sql: TenantSql, ids: string[], scope: string): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const members = await findRolesOf(sql, ids)
  return new Set(members.filter(({ role, scopes }) => covers(scopesGranted(role, scopes), scope)).map(({ id }) => id))
}
