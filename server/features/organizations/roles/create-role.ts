import type { TenantTx } from '../../../platform/database.ts'
import { conflict, violates } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { lockMembers } from '../members/queries.ts'
import { managerOf, mayManage } from '../members/rules.ts'
import { countRoles, insertRole } from './queries.ts'
import type { CustomRole, NewRole } from './schema.ts'

/** The list of roles has no pages. */
const mostRoles = 100

/** Defines a custom role, which allows at most what the caller may do. */
export async function createRole(tx: TenantTx, principal: Principal, given: NewRole): Promise<CustomRole> {
  const role = { name: given.name.trim(), scopes: [...new Set(given.scopes)] }
  mayManage(managerOf(principal, await lockMembers(tx, [principal.person?.userId])), { role: 'custom', ...role })
  const { count } = await countRoles(tx)
  if (count >= mostRoles) throw conflict(`An organization can have ${mostRoles} custom roles: delete one first`)
  return insertRole(tx, role).catch((error) => nameIsTaken(error, role.name))
}

export function nameIsTaken(error: unknown, name: string): never {
  throw violates(error, 'roles_name_is_unique') ? conflict(`There is a role called ${name} already`) : error
}
