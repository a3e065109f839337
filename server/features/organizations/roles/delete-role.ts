import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { lockMembers } from '../members/queries.ts'
import { managerOf, mayManage } from '../members/rules.ts'
import { countOpenInvitations, deleteRoleRow, lockRole } from './queries.ts'

/** Deletes a custom role that no member and no open invitation has. */
export async function deleteRole(tx: TenantTx, principal: Principal, id: string): Promise<void> {
  const manager = managerOf(principal, await lockMembers(tx, [principal.person?.userId]))
  const { scopes, members_count } = found(await lockRole(tx, id), 'Role')
  mayManage(manager, { role: id, scopes })
  const { count } = await countOpenInvitations(tx, id)
  if (members_count + count > 0)
    throw conflict(
      `This role is in use by ${counted(members_count, 'member')} and ${counted(count, 'invitation')}: give them another role first`,
    )
  await deleteRoleRow(tx, id)
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
