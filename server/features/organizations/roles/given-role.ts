import type { TenantTx } from '../../../platform/database.ts'
import { invalid } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { GivenRole } from '../members/rules.ts'
import { builtInRoles, isBuiltIn, type Role } from '../schema.ts'
import { keepRole } from './queries.ts'

/** The role that a request names, built-in or custom, with what it allows. */
export async function givenRole(tx: TenantTx, role: Role): Promise<GivenRole> {
  if (isBuiltIn(role)) return { role, scopes: null }
  const custom = isUuid(role) ? await keepRole(tx, role) : undefined
  if (!custom)
    throw invalid(['body', 'role'], `role must be ${builtInRoles.join(', ')} or the id of a custom role`, 'enum')
  return { role: custom.id, scopes: custom.scopes }
}
