import type { TenantTx } from '../../../platform/database.ts'
import { found, notFound } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { givenRole } from '../roles/given-role.ts'
import type { Role } from '../schema.ts'
import { findMember, lockMembers, updateRole } from './queries.ts'
import { keepAnOwner, managerOf, mayManage } from './rules.ts'
import type { Member } from './schema.ts'
import { withdrawExcess } from './withdraw-excess.ts'

/** Changes a member's role; their open invitations to a role above the new one are withdrawn. */
export async function changeRole(tx: TenantTx, principal: Principal, memberId: string, role: Role): Promise<Member> {
  const members = await lockMembers(tx, [memberId, principal.person?.userId])
  const manager = managerOf(principal, members)
  const target = members.find(({ id }) => id === memberId)
  if (!target) throw notFound('Member')
  const given = await givenRole(tx, role)
  mayManage(manager, target, given)
  if (target.role === 'owner' && role !== 'owner') keepAnOwner(members, memberId)
  if (target.role !== role) {
    await updateRole(tx, memberId, role)
    await withdrawExcess(tx, [memberId], given)
    tx.signal(credentialsChannel)
  }
  return found(await findMember(tx, memberId), 'Member')
}
