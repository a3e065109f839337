import type { TenantTx } from '../../../platform/database.ts'
import { AppError, conflict, found, notFound } from '../../../platform/errors.ts'
import { fullAccess, type Principal, refuseTestKey } from '../../../platform/http/principal.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { scopesGranted } from '../roles/scopes-granted.ts'
import { findExistingAccess, findMember, lockMembers, replaceAccess, updateLimit } from './queries.ts'
import { type GivenRole, managerOf, mayManage } from './rules.ts'
import type { Access, Member } from './schema.ts'

/** Limits a member to the conversations of channels and teams; see ADR 62. */
export async function limitAccess(
  tx: TenantTx,
  principal: Principal,
  memberId: string,
  access: Access,
): Promise<Member> {
  await checkAccess(tx, await lockManaged(tx, principal, memberId), access)
  await updateLimit(tx, memberId, true)
  await replaceAccess(tx, memberId, access)
  tx.signal(credentialsChannel)
  return found(await findMember(tx, memberId), 'Member')
}

/** Refuses a limit for roles that see everything, and channels and teams that do not exist. */
export async function checkAccess(tx: TenantTx, { role, scopes }: GivenRole, access: Access): Promise<void> {
  if (scopesGranted(role, scopes).has(fullAccess))
    throw conflict('Owners and admins see all conversations: give the member another role first')
  const { has_channels, has_teams } = await findExistingAccess(tx, access)
  if (!has_channels) throw new AppError(404, 'channel_ids names a channel that does not exist')
  if (!has_teams) throw new AppError(404, 'team_ids names a team that does not exist')
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
