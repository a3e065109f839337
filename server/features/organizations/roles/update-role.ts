import type { TenantTx } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { lockMembers, membersWithRole } from '../members/queries.ts'
import { managerOf, mayManage } from '../members/rules.ts'
import { withdrawExcess } from '../members/withdraw-excess.ts'
import { nameIsTaken } from './create-role.ts'
import { lockRole, updateRoleRow } from './queries.ts'
import type { CustomRole, RoleChanges } from './schema.ts'

/** Changes a custom role for all its members; both what it allowed and what it will allow must be the caller's to give. */
export async function updateRole(
  tx: TenantTx,
  principal: Principal,
  id: string,
  { name, scopes }: RoleChanges,
): Promise<CustomRole> {
  const manager = managerOf(principal, await lockMembers(tx, [principal.person?.userId]))
  const old = found(await lockRole(tx, id), 'Role')
  const changed = { name: name?.trim() ?? old.name, scopes: scopes ? [...new Set(scopes)] : old.scopes }
  const given = { role: id, scopes: changed.scopes }
  mayManage(manager, { role: id, scopes: old.scopes }, given)
  const role = await updateRoleRow(tx, id, changed).catch((error) => nameIsTaken(error, changed.name))
  const holders = await membersWithRole(tx, id)
  await withdrawExcess(
    tx,
    holders.map((holder) => holder.id),
    given,
  )
  tx.signal(credentialsChannel)
  return role
}
