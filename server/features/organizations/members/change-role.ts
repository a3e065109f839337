import type { TenantTx } from '../../../platform/database.ts'
import { found, notFound } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { Role } from '../schema.ts'
import { deleteInvitationsBy, findMember, lockMembers, updateRole } from './queries.ts'
import { keepAnOwner, mayManage, rankOf, rolesAbove } from './rules.ts'
import type { Member } from './schema.ts'

/** Changes a member's role; their open invitations to a role above the new one are withdrawn. */
export async function changeRole(tx: TenantTx, principal: Principal, memberId: string, role: Role): Promise<Member> {
  const members = await lockMembers(tx, [memberId, principal.person?.userId])
  const manager = rankOf(principal, members)
  const target = members.find(({ id }) => id === memberId)
  if (!target) throw notFound('Member')
  mayManage(manager, target.role, role)
  if (target.role === 'owner' && role !== 'owner') keepAnOwner(members, memberId)
  if (target.role !== role) {
    await Promise.all([updateRole(tx, memberId, role), deleteInvitationsBy(tx, memberId, rolesAbove(role))])
    tx.signal(credentialsChannel)
  }
  return found(await findMember(tx, memberId), 'Member')
}
