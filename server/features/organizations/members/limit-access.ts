import type { TenantTx } from '../../../platform/database.ts'
import { AppError, conflict, found, notFound, violates } from '../../../platform/errors.ts'
import { fullAccess, type Principal, refuseTestKey } from '../../../platform/http/principal.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { scopesGranted } from '../roles/scopes-granted.ts'
import { findMember, lockMembers, replaceAccess, updateLimit } from './queries.ts'
import { managerOf, mayManage } from './rules.ts'
import type { Access, Member } from './schema.ts'

/** Limits a member to the conversations of channels and teams; see ADR 62. */
export async function limitAccess(
  tx: TenantTx,
  principal: Principal,
  memberId: string,
  access: Access,
): Promise<Member> {
  const { role, scopes } = await lockManaged(tx, principal, memberId)
  if (scopesGranted(role, scopes).has(fullAccess))
    throw conflict('Owners and admins see all conversations: give the member another role first')
  await updateLimit(tx, memberId, true)
  await replaceAccess(tx, memberId, access).catch((error) => {
    for (const [constraint, noun] of [
      ['member_channels_channel_exists', 'channel_ids names a channel'],
      ['member_teams_team_exists', 'team_ids names a team'],
    ] as const)
      if (violates(error, constraint)) throw new AppError(404, `${noun} that does not exist`)
    throw error
  })
  tx.signal(credentialsChannel)
  return found(await findMember(tx, memberId), 'Member')
}

export async function removeLimit(tx: TenantTx, principal: Principal, memberId: string): Promise<void> {
  await lockManaged(tx, principal, memberId)
  await updateLimit(tx, memberId, false)
  await replaceAccess(tx, memberId, { channel_ids: [], team_ids: [] })
  tx.signal(credentialsChannel)
}

async function lockManaged(tx: TenantTx, principal: Principal, memberId: string) {
  refuseTestKey(principal, 'The access of members holds for live mode too')
  const members = await lockMembers(tx, [memberId, principal.person?.userId])
  const manager = managerOf(principal, members)
  const target = members.find(({ id }) => id === memberId)
  if (!target) throw notFound('Member')
  mayManage(manager, target)
  return target
}
