import type { TenantTx } from '../../../platform/database.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { memberRemovedJob } from './job-kinds.ts'
import { deleteAllInvitationsBy, deleteMember, lockMembers, rememberRemoval, transactionTime } from './queries.ts'
import { keepAnOwner, managerOf, mayManage } from './rules.ts'

/**
 * Removes a member, or lets them leave; their open invitations are withdrawn. A member who was removed joins again only
 * by an invitation, not by a verified domain.
 */
export async function removeMember(tx: TenantTx, principal: Principal, memberId: string): Promise<void> {
  const members = await lockMembers(tx, [memberId, principal.person?.userId])
  const manager = managerOf(principal, members)
  const target = members.find(({ id }) => id === memberId)
  const leaves = principal.person?.userId === memberId
  if (!leaves) mayManage(manager, ...(target ? [target] : []))
  if (!target) throw notFound('Member')
  if (target.role === 'owner') keepAnOwner(members, memberId)
  const [{ team_ids: teamIds }] = await Promise.all([
    deleteMember(tx, memberId),
    deleteAllInvitationsBy(tx, memberId),
    !leaves && rememberRemoval(tx, memberId),
  ])
  const { at: removedAt } = await transactionTime(tx)
  await tx.enqueue(
    memberRemovedJob,
    { ...tx.scope, memberId, teamIds, removedAt },
    { group: { id: tx.scope.organizationId } },
  )
  tx.signal(credentialsChannel)
}
