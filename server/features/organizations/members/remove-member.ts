import type { TenantTx } from '../../../platform/database.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { roles } from '../schema.ts'
import { deleteInvitationsBy, deleteMember, lockMembers } from './queries.ts'
import { keepAnOwner, mayManage, rankOf } from './rules.ts'

/** Removes a member, or lets them leave; their open invitations are withdrawn. */
export async function removeMember(tx: TenantTx, principal: Principal, memberId: string): Promise<void> {
  const members = await lockMembers(tx, [memberId, principal.person?.userId])
  const manager = rankOf(principal, members)
  const target = members.find(({ id }) => id === memberId)
  const leaves = principal.person?.userId === memberId
  if (!leaves) mayManage(manager, ...(target ? [target.role] : []))
  if (!target) throw notFound('Member')
  if (target.role === 'owner') keepAnOwner(members, memberId)
  await Promise.all([deleteMember(tx, memberId), deleteInvitationsBy(tx, memberId, roles)])
  tx.signal(credentialsChannel)
}
